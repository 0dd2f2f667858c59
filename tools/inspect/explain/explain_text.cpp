// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "inspect/explain/explain.hpp"
#include "model/participant_names.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kPathWidth = 60;
constexpr std::size_t kMostSteps = 8;
/// A larger share of transfer, where calls take so many times as long as the fastest ones, comes
/// from shared cores.
constexpr double kSharedCores = 0.2;
constexpr double kSlowCalls = 10;
constexpr double kGoodComputation = 0.8;
constexpr double kEarly = 0.001;  ///< share of messages
constexpr double kManyUnknown = 0.05;

bool has_unknown_waits(const Explanation& data) {
    return data.unknown_waits > kManyUnknown * data.runtime;
}

/// "Rank 1", "Ranks 2-3"
std::string ranks_of(const ExplainedCause& cause) {
    return (cause.ranks.size() == 1 ? "Rank " : "Ranks ") + set_text(ParticipantList(cause.ranks));
}

/// "steps 9, 19, 29", with the number of others.
std::string steps_of(const ExplainedCause& cause) {
    std::string text = cause.steps.size() == 1 ? "step" : "steps";
    for (std::size_t i = 0; i < std::min(cause.steps.size(), kMostSteps); ++i) {
        text += fmt::format("{} {}", i == 0 ? "" : ",", cause.steps[i]);
    }
    if (cause.steps.size() > kMostSteps) {
        text += fmt::format(" and {} more", cause.steps.size() - kMostSteps);
    }
    return text;
}

/// Nothing for the program itself.
std::string in_path(const ExplainedCause& cause) {
    if (cause.path.find('/') == std::string::npos) return {};
    return " in " + shortened(printable(cause.path), kPathWidth);
}

/// ": 136 reads of 321 B and 148 writes of 317 B on average"
std::string pieces_of(const ExplainedCause& cause) {
    std::string text;
    for (const std::string mode : {"read", "write"}) {
        const double count = cause.figure(mode + "_count");
        if (count == 0) continue;
        text += fmt::format("{}{} {}{} of {}", text.empty() ? ": " : " and ",
                            format_count(rounded(count)), mode, count == 1 ? "" : "s",
                            format_bytes(cause.figure(mode + "_bytes") / count));
    }
    return text.empty() ? text : text + " on average";
}

/// Whether a cause is another rank's from step to step.
bool in_turn(const ExplainedCause& cause) {
    return cause.kind == CauseKind::serial_part && cause.has_figure("worst_step");
}

/// By cause, in the order of CauseKind: the command that shows the evidence, and what people do.
struct CauseWords {
    std::string_view command;
    std::string_view remedy;
};
constexpr CauseWords kCauseWords[] = {
    /* communicators */ {"stats", "Make them once, before the loop."},
    /* polling */ {"stats", "Wait for the message, or test more often."},
    /* late_receiver */
    {"efficiency", "Post receives before the computation, or send without blocking."},
    /* growing_messages */
    {"sizes", "Look for what is sent again and again; adaptive meshes grow by intention."},
    /* growing_work */
    {"efficiency --focus", "Look for data that grow; adaptive meshes grow by intention."},
    /* rare_steps */
    {"efficiency --focus", "Do it less often, on all ranks, or beside the computation."},
    /* drift */ {"efficiency --focus", "Balance the work again from time to time."},
    /* start_up */ {"efficiency", "Share this work among the ranks."},
    /* end */ {"efficiency", "Share this work among the ranks."},
    /* fixed_order */ {"efficiency", "Work on what arrives first (MPI_Waitany)."},
    /* small_tasks */ {"efficiency", "Make tasks larger, or use several such ranks."},
    /* hot_spot */
    {"efficiency",
     "Combine messages on the way (reductions), make tasks larger, or use several such ranks."},
    /* serial_part */ {"efficiency", "Share the work, or let every rank do it for itself."},
    /* needless_barrier */ {"stats", "Remove them, or complete them later (MPI_Ibarrier)."},
    /* straggler */
    {"efficiency",
     "Compare core, node, clock frequency and pinning of these ranks, and their amount of work."},
    /* slow_group */
    {"efficiency",
     "Compare core, node, clock frequency and pinning of these ranks, and their amount of work."},
    /* exchange_order */
    {"predict --delays --steps", "Pair the ranks off in rounds, or use a collective operation."},
    /* chain */
    {"predict --delays --steps", "Work on smaller blocks, so that the next rank begins earlier."},
    /* late_sender */
    {"predict --delays --steps", "Send as soon as the data are ready, and compute after that."},
    /* imbalance */ {"efficiency", "Distribute the work in another way."},
    /* noise */
    {"efficiency --focus", "Look for other processes on these nodes; data may cause it as well."},
    /* moving_imbalance */
    {"efficiency --focus", "Synchronise less, or balance by measured times."},
    /* latency */ {"sizes", "Ask for more at a time."},
    /* small_messages */ {"sizes", "Send one message in place of several."},
    /* many_collectives */ {"stats", "Use one call with all values."},
    /* bandwidth */ {"sizes", "Send borders only, compress, or use neighbourhood collectives."},
    /* placement */
    {"predict --network ethernet --advise-placement order.txt",
     "Place ranks that exchange most on the same node."},
    /* files */ {"io", "Use collective operations, larger pieces, or write less often."},
    /* threads */ {"efficiency", "Look for serial regions, uneven loops and locks."},
    /* accelerators */
    {"efficiency", "Start kernels and copies without waiting, and compute meanwhile."},
};
static_assert(std::size(kCauseWords) == kCauses);

}  // namespace

std::string cause_sentence(const ExplainedCause& cause, const Explanation& data) {
    const std::string in = in_path(cause);
    const auto time = [&](std::string_view name) { return format_time(cause.figure(name)); };
    const auto count = [&](std::string_view name) {
        return format_count(rounded(cause.figure(name)));
    };
    const auto size = [&](std::string_view name) { return format_bytes(cause.figure(name)); };
    const auto number = [&](std::string_view name) { return rounded(cause.figure(name)); };
    const std::string others =
        fmt::format("{}, and of the others rank {} most: {}", time("computation"),
                    number("other_rank"), time("other_computation"));
    const std::string waits = cause.has_figure("wait")
                                  ? fmt::format("; rank {} waits longest in one call path, {}",
                                                number("wait_rank"), time("wait"))
                                  : std::string();
    const std::string steps = fmt::format("{} in the first step and {} in the last one",
                                          time("first_step_mean"), time("last_step_mean"));
    // MPI_Startall sends messages of several sizes.
    const bool has_sizes = cause.has_figure("count");
    const std::string small = has_sizes ? fmt::format(": {} of {}, of at most {}", count("count"),
                                                      cause.function, size("largest"))
                                        : std::string();
    switch (cause.kind) {
        case CauseKind::communicators:
            return fmt::format("Communicators are made in the loop{}: {} calls of {}.", in,
                               count("calls"), cause.function);
        case CauseKind::polling:
            return fmt::format(
                "Messages have arrived for some time before a test finds them{}: "
                "{} calls of {}, and computation between those without success.",
                in, count("calls"), cause.function);
        case CauseKind::late_receiver:
            return fmt::format("Sends{} wait until their receivers post the receives{}.", in,
                               waits);
        case CauseKind::growing_messages:
            return fmt::format("Messages grow from step to step{}.",
                               has_sizes
                                   ? fmt::format(": those of {} are from {} to {}", cause.function,
                                                 size("smallest"), size("largest"))
                                   : "");
        case CauseKind::growing_work:
            return fmt::format(
                "Computation grows from step to step{}: ranks compute {} on average.", in, steps);
        case CauseKind::rare_steps:
            return fmt::format(
                "Some steps take much longer{}{}: {}; the first of them takes {}.",
                cause.ranks.empty() ? std::string() : " on r" + ranks_of(cause).substr(1), in,
                steps_of(cause), time("first_step_longest"));
        case CauseKind::drift:
            return fmt::format(
                "{} {} behind more and more{}: the slowest rank computes {} in "
                "the first step and {} in the last one, the mean is {} and {}.",
                ranks_of(cause), cause.ranks.size() == 1 ? "falls" : "fall", in,
                time("first_step_longest"), time("last_step_longest"), time("first_step_mean"),
                time("last_step_mean"));
        case CauseKind::start_up:
            return ranks_of(cause) +
                   " works before the first step while others wait. It matters "
                   "less in longer runs.";
        case CauseKind::end:
            return ranks_of(cause) +
                   " works after the last step while others wait. It matters "
                   "less in longer runs.";
        case CauseKind::fixed_order:
            return fmt::format(
                "{} {} for messages in a fixed order{}, while others have "
                "arrived{}.",
                ranks_of(cause), cause.ranks.size() == 1 ? "waits" : "wait", in, waits);
        case CauseKind::small_tasks:
            return fmt::format(
                "{} answers the requests of all others one at a time{}: it computes "
                "{}. The gain is that of tasks 8 times as large.",
                ranks_of(cause), in, others);
        case CauseKind::hot_spot:
            return fmt::format(
                "{} works on the messages of all others one after the other{}: it "
                "computes {}.",
                ranks_of(cause), in, others);
        case CauseKind::serial_part:
            if (in_turn(cause)) {
                return fmt::format(
                    "{} work for all others in turn, who wait for their data{}: in step {}, rank "
                    "{} computes {}, the mean is {}.",
                    ranks_of(cause), in, number("worst_step"), number("worst_step_rank"),
                    time("worst_step_longest"), time("worst_step_mean"));
            }
            return fmt::format("{} works for all others, who wait for its data{}: it computes {}.",
                               ranks_of(cause), in, others);
        case CauseKind::needless_barrier:
            return fmt::format(
                "Barriers{} make ranks wait for the slowest one{}: {} calls; no file or window is "
                "used beside them.",
                in, data.steps == 0 ? "" : " of each step", count("calls"));
        case CauseKind::straggler:
        case CauseKind::slow_group:
            return fmt::format("{} {} longer than the others{}: {}{}.", ranks_of(cause),
                               cause.ranks.size() == 1 ? "computes" : "compute", in,
                               cause.ranks.size() == 1 ? "" : "at least ", others);
        case CauseKind::exchange_order:
            return "All ranks exchange with the same partner at a time, one rank after the other.";
        case CauseKind::chain:
            return fmt::format(
                "Ranks work one after the other: in most steps, the critical path "
                "passes through most of the {} ranks.",
                data.ranks);
        case CauseKind::late_sender:
            return fmt::format(
                "{} {}{} after work, while the receivers have nothing to do "
                "yet{}. It wins time if the data are ready earlier.",
                ranks_of(cause), cause.ranks.size() == 1 ? "sends" : "send", in, waits);
        case CauseKind::imbalance:
            return fmt::format(
                "Ranks have different amounts of work{}: rank {} computes {}, rank {} "
                "only {}.",
                in, cause.ranks.front(), time("computation"), number("other_rank"),
                time("other_computation"));
        case CauseKind::noise:
            return fmt::format(
                "Something delays single ranks now and then{}: in step {}, rank {} "
                "computes {}, the mean of the ranks is {}.",
                in, number("worst_step"), number("worst_step_rank"), time("worst_step_longest"),
                time("worst_step_mean"));
        case CauseKind::moving_imbalance:
            return fmt::format(
                "The slowest rank is another one from step to step{}, and none in "
                "more than {} steps: in step {}, rank {} computes {}, the mean is {}.",
                in, count("slowest_in_most"), number("worst_step"), number("worst_step_rank"),
                time("worst_step_longest"), time("worst_step_mean"));
        case CauseKind::latency:
            return fmt::format("Each message waits for the answer to the one before{}{}.", in,
                               small);
        case CauseKind::small_messages:
            return fmt::format("Many small messages in a row between the same ranks{}{}.", in,
                               small);
        case CauseKind::many_collectives:
            return fmt::format("Many collective operations in a row{}: {} calls of {}.", in,
                               count("calls"), cause.function);
        case CauseKind::bandwidth:
            return fmt::format("Large messages{}{}.", in,
                               has_sizes ? fmt::format(": {} of {}, {} in all", count("count"),
                                                       cause.function, size("bytes"))
                                         : "");
        case CauseKind::files:
            return fmt::format("{} files{}{}.",
                               cause.ranks.empty() ? "Ranks read or write"
                                                   : fmt::format("Only r{} reads or writes",
                                                                 ranks_of(cause).substr(1)),
                               in, pieces_of(cause));
        case CauseKind::threads:
            return fmt::format(
                "Threads of a rank are useful for {} of the time in which the rank "
                "computes.",
                format_percent(cause.figure("thread_parallel")));
        case CauseKind::placement:
            return fmt::format(
                "Ranks that exchange messages are on different nodes: {} go from node to node, in "
                "another order of ranks {}.",
                size("bytes"), size("advised_bytes"));
        case CauseKind::accelerators:
            return fmt::format(
                "Host and accelerator take turns: on rank {}, the host computes {}, the "
                "accelerator "
                "runs kernels for {} and copies for {} besides; the {} waits longer. The gain is "
                "that of both at the same time.",
                cause.ranks.front(), time("host"), time("kernels"), time("copies"),
                cause.figure("kernels") + cause.figure("copies") > cause.figure("host")
                    ? "host"
                    : "accelerator");
    }
    return {};
}

std::string_view cause_remedy(CauseKind kind) {
    return kCauseWords[static_cast<std::size_t>(kind)].remedy;
}
std::string_view cause_command(const ExplainedCause& cause) {
    if (in_turn(cause)) return cause.figures.front().command;
    return kCauseWords[static_cast<std::size_t>(cause.kind)].command;
}

std::vector<std::string> explain_cautions(const Explanation& data) {
    std::vector<std::string> cautions;
    if (!data.why_not.empty()) {
        cautions.push_back("Causes were not searched: " + data.why_not + ".");
    }
    if (has_unknown_waits(data)) {
        cautions.push_back(fmt::format(
            "{} of the time is spent in waits for requests that have no record, as those of "
            "neighbourhood collectives: who waits for whom there is not known, and what would be "
            "won "
            "behind them is not found.",
            format_percent(data.unknown_waits / data.runtime)));
    }
    const auto early = static_cast<double>(data.early_messages);
    if (early > kEarly * static_cast<double>(data.messages)) {
        cautions.push_back(
            fmt::format("{} messages arrive before they are sent: the clocks of the ranks disagree "
                        "(efficiency --sync-clocks).",
                        format_count(data.early_messages)));
    }
    if (data.transfer > kSharedCores * data.runtime &&
        data.cost_per_call > kSlowCalls * data.least_cost_per_call) {
        cautions.push_back(fmt::format(
            "Calls that communicate take {} on the critical path without waits, the fastest ones "
            "{}: ranks probably share cores, or others use the network. That is a property of this "
            "run, not of the program.",
            format_time(data.cost_per_call), format_time(data.least_cost_per_call)));
    }
    return cautions;
}

std::string nothing_found_sentence(const Explanation& data) {
    const auto share = [&](double time) { return format_percent(time / data.runtime); };
    if (data.computation >= kGoodComputation * data.runtime && !has_unknown_waits(data)) {
        return fmt::format("Nothing stands out: {} of the time of ranks is computation.",
                           share(data.computation));
    }
    const std::string lost =
        fmt::format("{} of the run time is lost in ways that no rule explains: imbalance {}",
                    share(data.runtime - data.computation), share(data.imbalance));
    if (!data.why_not_split.empty()) {
        return fmt::format("{}; the rest cannot be split: {}.", lost, data.why_not_split);
    }
    return fmt::format("{}, dependences {}, transfer {}.", lost, share(data.dependences),
                       share(data.transfer));
}

namespace {

void write_cause(const ExplainedCause& cause, const Explanation& data, JsonWriter& json) {
    json.member("id", cause_name(cause.kind))
        .member("won", cause.won)
        .member("won_share", cause.won / data.runtime)
        .member("alone", cause.alone)
        .member("is_limit", cause.is_limit)
        .member("sentence", cause_sentence(cause, data))
        .member("remedy", cause_remedy(cause.kind))
        .member("command", cause_command(cause));
    if (!cause.path.empty()) json.member("path", cause.path);
    if (!cause.function.empty()) json.member("function", cause.function);
    if (!cause.ranks.empty()) json.member("ranks", set_text(ParticipantList(cause.ranks)));
    if (!cause.steps.empty()) write_list("steps", cause.steps, json);
    write_objects("numbers", cause.figures, json, [&](const ExplainedCause::Figure& figure) {
        json.member("name", figure.name).member("value", figure.value);
        json.member("command", figure.command);
    });
    if (cause.effects.empty()) return;
    json.key("effects").begin_array();
    for (const CauseKind kind : cause.effects) json.value(cause_name(kind));
    json.end_array();
}

}  // namespace

void write_explanation(const ExplainView& view, JsonWriter& json) {
    const Explanation& data = view.data;
    json.member("file", view.file).member("program", view.program).member("ranks", data.ranks);
    json.member("steps", data.steps).member("runtime", data.runtime);
    json.key("brackets").begin_object().member("computation", data.computation);
    json.member("imbalance", data.imbalance);
    if (data.why_not_split.empty()) {
        json.member("dependences", data.dependences).member("transfer", data.transfer);
    } else {
        json.member("not_computed", data.why_not_split);
    }
    json.end_object();
    write_list("cautions", explain_cautions(data), json);
    write_objects("causes", data.causes, json,
                  [&](const ExplainedCause& cause) { write_cause(cause, data, json); });
    write_objects("smaller", data.smaller, json,
                  [&](const ExplainedCause& cause) { write_cause(cause, data, json); });
    json.member("together", data.together).member("least_gain", data.least_gain);
    if (data.causes.empty() && data.why_not.empty()) {
        json.member("sentence", nothing_found_sentence(data));
    }
}

}  // namespace tracefold
