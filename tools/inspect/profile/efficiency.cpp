// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/profile/efficiency.hpp"

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct EfficiencyArguments {
    TraceInput input;
    CutOption part;
    OutputFormat format;
    ClockOption clocks;
    bool focus = false;
};

/// One process simulates while the others read calls for it: no additional cores by default.
u32 threads_of_walk(const TraceInput& input, const Communicator& comm) {
    return input.threads == 0 && comm.size() > 1 ? 1 : input.threads;
}

ExitCode run_efficiency(EfficiencyArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    EfficiencyView view;
    view.clocks = naming_file(arguments.input.path, [&] {
        return arguments.clocks.apply(comm, *input, arguments.input.level, console);
    });
    view.file = arguments.input.path;
    view.data = naming_file(view.file, [&] {
        arguments.part.apply(comm, *input, arguments.input.level, console);
        const u32 threads = arguments.input.threads_of(comm);
        FoundSteps steps(input->file(), StepLevels::one, threads);
        Efficiency data = trace_efficiency(comm, input->file(), WaitSearch::all,
                                           threads_of_walk(arguments.input, comm),
                                           arguments.focus ? &steps : nullptr);
        if (arguments.focus && comm.rank() == 0 && steps.get()) {
            view.imbalance = step_imbalance(input->file(), *steps.get(), threads);
        }
        return data;
    });
    on_first(comm, [&] {
        view.labels = location_labels(input->file());
        view.accelerators = accelerator_activity(input->file());
        arguments.format.show(view, console, write_efficiency_json, write_efficiency_csv,
                              print_efficiency);
    });
    return exit_ok;
}

/// Without MPI, communication is not in MPI calls.
void write_communication(const Efficiency& data, u64 ticks, JsonWriter& json) {
    json.member("mpi", data.seconds(data.has_mpi ? ticks : 0));
    if (!data.has_mpi) json.member("communication", data.seconds(ticks));
}

void write_ideal(const Efficiency& data, const std::string& name, const IdealTime& time,
                 JsonWriter& json) {
    each_figure(name, data.seconds(time.least), ideal_most(data, time),
                [&json](const std::string& end, double value) { json.member(end, value); });
}

void write_imbalance(const Efficiency& data, const StepImbalance& found, JsonWriter& json) {
    const auto seconds = [&data](double ticks) { return data.rate.seconds(ticks); };
    json.key("imbalance").begin_object().member("mean", found.mean());
    u64 number = 0;
    write_objects("steps", found.steps, json, [&](const StepImbalance::Step& step) {
        json.member("step", number++).member("mean", seconds(step.mean));
        json.member("max", data.seconds(step.most)).member("rank", step.rank);
        json.member("imbalance", step.imbalance());
    });
    write_objects("ranks", found.ranks, json, [&](const StepImbalance::Rank& rank) {
        json.member("rank", rank.rank).member("mean", seconds(rank.mean));
        json.member("over_mean", rank.over_mean).member("slowest", rank.slowest);
    });
    json.end_object();
}

/// Empty if it hardly matters.
std::string unknown_time_sentence(const Efficiency& data) {
    const UnknownTime& unknown = data.unknown_time;
    if (unknown.ticks <= data.runtime / 100) return {};
    return fmt::format(
        "the trace does not record what ranks did before their first call and after their last "
        "one: "
        "{} in which not all ranks are recorded {}",
        format_time(data.seconds(unknown.ticks)),
        unknown.is_left_out ? "are left out" : "lack computation");
}

void write_factors(const Efficiency& data, JsonWriter& json) {
    for (const EfficiencyFactor& factor : factors(data)) {
        factor.each_figure(
            [&json](const std::string& name, double value) { json.member(name, value); });
    }
}

void write_focus(const Efficiency& data, JsonWriter& json) {
    json.key("focus").begin_object();
    json.member("first_step", data.focus_steps.first)
        .member("last_step", data.focus_steps.last)
        .member("runtime", data.seconds(data.focus->runtime))
        .key("efficiency")
        .begin_object();
    write_factors(*data.focus, json);
    json.end_object();
    if (!data.focus->why_not_split.empty()) json.member("not_computed", data.focus->why_not_split);
    json.end_object();
}

void write_counters(const Efficiency& data, JsonWriter& json) {
    const Efficiency::Counters& counters = *data.counters;
    json.key("counters").begin_object();
    for (std::size_t i = 0; i < kHardwareCounters; ++i) {
        if (counters.metrics[i].empty()) continue;
        const auto name = hardware_counter_name(static_cast<HardwareCounter>(i));
        json.member(std::string(name) + "_metric", counters.metrics[i]);
    }
    if (counters.why_not.empty()) {
        each_counter_figure(data, counters.total,
                            [&](std::string_view name, double value) { json.member(name, value); });
        json.member("coverage", counters.total.coverage());
        write_list("uncounted", uncounted_ranks(data), json);
    } else {
        json.member("not_computed", counters.why_not);
    }
    json.end_object();
}

void write_rank(const Efficiency& data, std::size_t place, JsonWriter& json) {
    const RankEfficiency& times = data.ranks[place];
    json.begin_object().member("rank", times.rank);
    if (!data.has_mpi) json.member("name", data.names[place]);
    json.member("window", data.seconds(times.time().length()));
    json.member("not_measured", data.seconds(times.not_measured()));
    json.member("computation", data.seconds(times.computation));
    json.member("overhead", data.seconds(times.overhead));
    write_communication(data, times.mpi, json);
    json.member("io", data.seconds(times.io));
    if (data.has_mpi) {
        if (data.knows_waits) json.member("other_mpi", data.seconds(times.other_mpi()));
        json.member("polling", data.seconds(times.polling))
            .member("overhead_in_mpi", data.seconds(times.overhead_in_mpi))
            .member("init", data.seconds(times.init))
            .member("finalize", data.seconds(times.finalize));
    }
    if (data.has_ideal()) write_ideal(data, "ideal", times.ideal, json);
    if (data.has_counters()) {
        each_counter_figure(data, data.counters->ranks[place],
                            [&](std::string_view name, double value) { json.member(name, value); });
    }
    json.key("waits").begin_object();
    for (std::size_t kind = 0; kind < kWaitKinds && data.knows_waits && data.has_mpi; ++kind) {
        json.member(wait_name(static_cast<WaitKind>(kind)), data.seconds(times.waits[kind]));
    }
    json.end_object().end_object();
}

void write_waits(const EfficiencyView& view, JsonWriter& json) {
    const Efficiency& data = view.data;
    write_objects("waits", data.waits, json, [&](const Efficiency::Wait& wait) {
        json.member("path", wait.path).member("rank", wait.rank);
        if (data.threads_call_mpi) json.member("thread", view.label(wait.location));
        json.member("kind", wait_name(wait.kind))
            .member("calls", wait.count)
            .member("seconds", data.seconds(wait.ticks));
    });
}

/// Writes threads with accelerator calls, or streams.
void write_accelerators(const EfficiencyView& view, std::string_view key,
                        const std::vector<AcceleratorActivity::Location>& locations,
                        JsonWriter& json) {
    using Use = AcceleratorUse;
    write_objects(key, locations, json, [&](const AcceleratorActivity::Location& it) {
        json.member("location", view.label(it.location));
        for (const Use use : {Use::kernel, Use::copy, Use::wait, Use::call}) {
            json.member(accelerator_use_name(use), view.data.seconds(it.ticks_of(use)));
        }
    });
}

void write_threads(const EfficiencyView& view, JsonWriter& json) {
    const Efficiency& data = view.data;
    write_objects("threads", data.threads.threads, json, [&](const ThreadTimes& thread) {
        json.member("location", thread.location)
            .member("thread", view.label(thread.location))
            .member("computation", data.seconds(thread.of(ThreadUse::work)));
        write_communication(data, thread.mpi, json);
        for (std::size_t use = 1; use < kThreadUses; ++use) {
            const auto name = thread_use_name(static_cast<ThreadUse>(use));
            json.member(name, data.seconds(thread.uses[use]));
        }
    });
}

void write_thread_waits(const EfficiencyView& view, JsonWriter& json) {
    const Efficiency& data = view.data;
    write_objects("thread_waits", data.threads.waits, json, [&](const auto& wait) {
        json.member("path", wait.path);
        if (!data.has_mpi) json.member("process", data.names[wait.process]);
        json.member("thread", view.label(wait.location))
            .member("kind", thread_use_name(wait.use))
            .member("calls", wait.count)
            .member("seconds", data.seconds(wait.ticks));
    });
}

/// Shares refer to the span of the accelerator's process.
void write_devices(const Efficiency& data, JsonWriter& json) {
    write_objects("devices", data.devices, json, [&](const DeviceTimes& device) {
        json.member("name", device.name);
        if (device.process != kNone) json.member("rank", device.process);
        json.member("streams", device.streams)
            .member("seconds", data.seconds(device.span))
            .member("kernels", data.seconds(device.kernels))
            .member("copies", data.seconds(device.copies));
    });
}

}  // namespace

void write_efficiency_json(const EfficiencyView& view, Console& console) {
    const Efficiency& data = view.data;
    JsonWriter json = begin_document(console, "efficiency");
    json.member("file", view.file).member("runtime", data.seconds(data.runtime));
    if (data.has_ideal()) write_ideal(data, "ideal_runtime", data.ideal_runtime, json);
    json.member("process_kind", process_word(data.gaps.kind));
    json.member("threads_call_mpi", data.threads_call_mpi).key("efficiency").begin_object();
    write_factors(data, json);
    if (data.without_polling) json.member("parallel_without_polling", *data.without_polling);
    json.end_object();
    if (!data.why_not_split.empty()) json.member("not_computed", data.why_not_split);
    if (data.serialisation_most) json.member("range", data.why_range);
    const std::string unknown = unknown_time_sentence(data);
    if (!unknown.empty()) json.member("unknown", unknown);
    if (data.focus) write_focus(data, json);
    if (data.counters) write_counters(data, json);
    if (view.imbalance) write_imbalance(data, *view.imbalance, json);
    add_gaps(json, data.gaps, GapScope::mpi);
    json.member("early_messages", data.early_messages)
        .member("early_collective_calls", data.early_collectives);
    add_clocks(json, view.clocks ? &*view.clocks : nullptr);
    json.key("ranks").begin_array();
    for (std::size_t i = 0; i < data.ranks.size(); ++i) write_rank(data, i, json);
    json.end_array();
    write_waits(view, json);
    if (!data.threads.threads.empty()) write_threads(view, json);
    if (!data.threads.threads.empty() || !data.threads.waits.empty()) {
        write_thread_waits(view, json);
    }
    if (!view.accelerators.empty()) {
        write_accelerators(view, "accelerator_threads", view.accelerators.threads, json);
        write_accelerators(view, "streams", view.accelerators.streams, json);
        write_devices(data, json);
    }
    json.end_object();
}

InspectCommand add_efficiency_command(CLI::App& app) {
    auto arguments = std::make_shared<EfficiencyArguments>();
    CLI::App* efficiency =
        app.add_subcommand("efficiency", "Parallel efficiency, and waits by call path");
    arguments->input.add_options(*efficiency);
    arguments->input.add_threads(*efficiency, "read the calls of ranks");
    arguments->format.add_options(*efficiency, false);
    arguments->part.add_options(*efficiency);
    efficiency->add_flag("--focus", arguments->focus,
                         "Also the factors of the program's steps without the first one, and the "
                         "imbalance of steps and ranks; this searches for steps");
    arguments->clocks.add_options(*efficiency);
    return {efficiency, [arguments](Console& console, Communicator& comm) {
                return run_efficiency(*arguments, console, comm);
            }};
}

void write_efficiency_csv(const EfficiencyView& view, std::ostream& out) {
    CsvTable table(out);
    put_efficiency(view, table);
}

namespace {

constexpr std::size_t kMostPaths = 10;

/// One kind of wait in one call path, over all ranks or threads.
struct PathWait {
    std::string path;
    std::string_view kind;
    u64 count = 0;
    u64 ticks = 0;
    u64 worst_ticks = 0;
    std::string worst;  ///< rank or thread that waited most
};

/// "late sender"
std::string words(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string counter_words(std::string_view figure) {
    return figure == "ipc" ? "instructions per cycle" : words(figure);
}

std::string counter_text(std::string_view figure, double value) {
    if (figure == "ipc") return fmt::format("{:.2f}", value);
    if (figure == "frequency") return fmt::format("{:.2f} GHz", value / 1e9);
    return format_count(rounded(value));
}

}  // namespace

std::string factor_title(const EfficiencyFactor& factor) {
    return words(factor.name) + (factor.name.ends_with("load_balance") ? "" : " efficiency");
}

std::string factor_text(const EfficiencyFactor& factor) {
    if (!factor.value) return "not computed";
    const std::string least = format_percent(*factor.value);
    const std::string most = format_percent(factor.most.value_or(*factor.value));
    return least == most ? least : least + " to " + most;
}

namespace {

class PathWaits {
  public:
    void add(const std::string& path, std::string_view kind, const std::string& who, u64 count,
             u64 ticks) {
        PathWait& sum = all_[{path, kind}];
        sum.path = path;
        sum.kind = kind;
        sum.count += count;
        sum.ticks += ticks;
        if (ticks <= sum.worst_ticks) return;
        sum.worst_ticks = ticks;
        sum.worst = who;
    }

    /// Most time first.
    [[nodiscard]] std::vector<PathWait> sorted() const {
        std::vector<PathWait> waits;
        for (const auto& [key, wait] : all_) waits.push_back(wait);
        std::stable_sort(waits.begin(), waits.end(),
                         [](const PathWait& a, const PathWait& b) { return a.ticks > b.ticks; });
        return waits;
    }

  private:
    std::map<std::pair<std::string, std::string_view>, PathWait> all_;
};

class EfficiencyPrinter {
  public:
    EfficiencyPrinter(const EfficiencyView& view, Console& console)
        : view_(view), data_(view.data), console_(console) {}

    void run() {
        console_.text() << console_.paint(Style::bold, view_.file) << "  " << heading() << '\n';
        print_clocks();
        print_gaps(data_.gaps, GapScope::mpi, console_);
        print_factors();
        print_ranks();
        if (data_.counters) print_counters();
        if (view_.imbalance) print_imbalance(*view_.imbalance);
        print_waits(rank_waits(), data_.threads_call_mpi ? "thread" : "rank");
        if (!data_.threads.threads.empty()) print_threads();
        print_waits(thread_waits(), data_.threads.threads.empty() ? word() : "thread");
        print_accelerators();
    }

  private:
    [[nodiscard]] std::string time(u64 ticks) const { return format_time(data_.seconds(ticks)); }

    /// "rank", "PE", "process"
    [[nodiscard]] std::string word(u64 count = 1) const {
        return process_word(data_.gaps.kind, count);
    }

    [[nodiscard]] std::string heading() const {
        const std::size_t threads = data_.has_threads ? data_.threads.threads.size() : 0;
        const std::string with =
            threads == 0 ? "" : " with " + std::to_string(threads) + " threads";
        const std::string count = data_.ranks.empty() ? "no" : std::to_string(data_.ranks.size());
        if (!data_.has_mpi) {
            return count + " " + word(data_.ranks.size()) + with + ", " + time(data_.runtime) +
                   " from the first record to the last";
        }
        return count + " ranks" + with + ", " + time(data_.runtime) +
               (data_.is_part ? " of a part of the run" : " from MPI_Init to MPI_Finalize");
    }

    /// The ranks that compute most, relative to the others of each step.
    void print_imbalance(const StepImbalance& found) {
        const auto worst =
            std::ranges::max_element(found.steps, {}, &StepImbalance::Step::imbalance);
        if (worst == found.steps.end()) return;
        console_.text() << fmt::format(
            "  imbalance of computation in {} steps (max / mean - 1): {} on average, {} in step "
            "{}\n",
            found.steps.size(), format_percent(found.mean()), format_percent(worst->imbalance()),
            worst - found.steps.begin());
        std::vector<StepImbalance::Rank> ranks = found.ranks;
        std::ranges::stable_sort(ranks, std::greater(), &StepImbalance::Rank::over_mean);
        if (ranks.size() > kMostPaths) ranks.resize(kMostPaths);
        Table table(
            {{word()}, {"per step", kRight}, {"over mean", kRight}, {"slowest in", kRight}});
        for (const StepImbalance::Rank& rank : ranks) {
            table.add_row({std::to_string(rank.rank), format_time(data_.rate.seconds(rank.mean)),
                           format_percent(rank.over_mean), fmt::format("{} steps", rank.slowest)});
        }
        table.print(console_, 2);
        if (found.ranks.size() > ranks.size()) {
            console_.text() << "  and " << found.ranks.size() - ranks.size()
                            << " more; --json lists all\n";
        }
    }

    void print_clocks() {
        if (view_.clocks) {
            for (const std::string& sentence : sync_sentences(*view_.clocks)) {
                console_.text() << "  " << sentence << '\n';
            }
        }
        print_early("messages received before they were sent: ", data_.early_messages);
        print_early("collective calls that ended before a member they need had begun: ",
                    data_.early_collectives);
    }

    void print_early(std::string_view what, u64 count) {
        if (count == 0) return;
        console_.text() << "  " << what << count
                        << "; the clocks of the ranks disagree; --sync-clocks corrects them\n";
    }

    void print_factors() {
        std::vector<Table::Column> columns = {{""}, {"", kRight}};
        std::vector<EfficiencyFactor> of_focus;
        if (data_.focus) {
            columns[1].title = "whole run";
            columns.push_back(
                {fmt::format("steps {}-{}", data_.focus_steps.first, data_.focus_steps.last),
                 kRight});
            of_focus = factors(*data_.focus);
        }
        Table table(columns);
        bool shows_range = false;
        for (const EfficiencyFactor& factor : factors(data_)) {
            const std::string value = factor_text(factor);
            shows_range = shows_range || value.find(" to ") != std::string::npos;
            std::vector<std::string> row = {
                std::string(std::size_t{2} * static_cast<std::size_t>(factor.level), ' ') +
                    factor_title(factor),
                value};
            const auto same = std::ranges::find(of_focus, factor.name, &EfficiencyFactor::name);
            if (data_.focus) row.push_back(same == of_focus.end() ? "" : factor_text(*same));
            table.add_row(row);
        }
        table.print(console_, 2);
        print_thread_overlap();
        if (shows_range) console_.text() << "  range: " << data_.why_range << '\n';
        const std::string unknown = unknown_time_sentence(data_);
        if (!unknown.empty()) console_.text() << "  " << unknown << '\n';
        const bool differs =
            data_.without_polling && data_.parallel &&
            format_percent(*data_.without_polling) != format_percent(*data_.parallel);
        if (differs) {
            console_.text()
                << "  time between unsuccessful polls (MPI_Test, MPI_Iprobe) counts as "
                   "computation; if the program only waits there, parallel efficiency is "
                << format_percent(*data_.without_polling) << '\n';
        }
        if (data_.why_not_split.empty()) return;
        console_.text() << "  not computed: " << data_.why_not_split << '\n';
    }

    void print_thread_overlap() {
        if (!data_.thread_communication || *data_.thread_communication <= 1) return;
        console_.text() << "  above 100 %: threads compute while their rank is in MPI, or ranks "
                           "differ in their numbers of threads\n";
    }

    static Table people_table(const std::string& who) {
        return Table({{"per " + who},
                      {"min", kRight, 1},
                      {"mean", kRight},
                      {"max", kRight},
                      {"max on " + who, kRight}});
    }

    void print_ranks() {
        if (!data_.has_processes) return;
        Table table = people_table(word());
        const auto row = [this, &table](const std::string& name, const auto& value) {
            add_row(name, data_.ranks, value, table,
                    [this](std::size_t i) { return printable(data_.names[i]); });
        };
        row("computation", [](const RankEfficiency& rank) { return rank.computation; });
        row("  between unsuccessful polls",
            [](const RankEfficiency& rank) { return rank.polling; });
        row("trace buffer flushes", [](const RankEfficiency& rank) { return rank.overhead; });
        const char* const mpi = !data_.has_mpi           ? "in communication"
                                : data_.threads_call_mpi ? "lost to MPI"
                                                         : "in MPI";
        row(mpi, [](const RankEfficiency& rank) { return rank.mpi; });
        const auto wait = [&row](WaitKind kind, const std::string& indent = "  ") {
            row(indent + words(wait_name(kind)), [kind](const RankEfficiency& rank) {
                return rank.waits[static_cast<std::size_t>(kind)];
            });
        };
        for (std::size_t i = 0; i < kWaitKinds; ++i) {
            const auto kind = static_cast<WaitKind>(i);
            if (adds_to_mpi(kind)) wait(kind);
            if (kind == WaitKind::late_sender) wait(WaitKind::wrong_order, "    of it in ");
        }
        if (data_.has_mpi && data_.knows_waits) {
            row("  file operations", [](const RankEfficiency& rank) { return rank.io; });
            row("  other", [](const RankEfficiency& rank) { return rank.other_mpi(); });
        }
        row("  trace buffer flushes, in any of these",
            [](const RankEfficiency& rank) { return rank.overhead_in_mpi; });
        row("not measured meanwhile",
            [](const RankEfficiency& rank) { return rank.not_measured(); });
        row("MPI_Init, before", [](const RankEfficiency& rank) { return rank.init; });
        row("MPI_Finalize, after", [](const RankEfficiency& rank) { return rank.finalize; });
        wait(WaitKind::finalize);
        table.print(console_, 2);
        if (!data_.threads_call_mpi) return;
        console_.text()
            << "  several threads of a rank call MPI: times of a rank are means over its "
               "threads\n";
    }

    void print_counters() {
        const Efficiency::Counters& counters = *data_.counters;
        std::string metrics;
        for (const std::string& name : counters.metrics) {
            if (name.empty()) continue;
            metrics += (metrics.empty() ? "" : ", ") + printable(name);
        }
        if (!data_.has_counters()) {
            console_.text() << "  " << metrics
                            << " in computation not computed: " << counters.why_not << '\n';
            return;
        }
        Table table({{"in computation"},
                     {"min", kRight, 1},
                     {"mean", kRight},
                     {"max", kRight},
                     {"max on rank", kRight},
                     {"total", kRight}});
        std::map<std::string_view, std::vector<std::pair<double, std::size_t>>> values;
        for (std::size_t i = 0; i < counters.ranks.size(); ++i) {
            each_counter_figure(data_, counters.ranks[i], [&](std::string_view name, double value) {
                values[name].emplace_back(value, i);
            });
        }
        each_counter_figure(data_, counters.total, [&](std::string_view name, double total) {
            const auto& of_ranks = values[name];
            if (of_ranks.empty()) return;
            double sum = 0;
            for (const auto& [value, place] : of_ranks) sum += value;
            const auto [least, most] =
                std::ranges::minmax_element(of_ranks, {}, &std::pair<double, std::size_t>::first);
            table.add_row({counter_words(name), counter_text(name, least->first),
                           counter_text(name, sum / static_cast<double>(of_ranks.size())),
                           counter_text(name, most->first), printable(data_.names[most->second]),
                           counter_text(name, total)});
        });
        table.print(console_, 2);
        const std::vector<u32> uncounted = uncounted_ranks(data_);
        if (!uncounted.empty()) {
            console_.text() << "  " << metrics
                            << fmt::format(
                                   ": {} of the computation; the rest has no values at its begin "
                                   "and its end, or "
                                   "smaller ones at the end, on {}\n",
                                   format_percent(counters.total.coverage()),
                                   uncounted.size() == data_.ranks.size()
                                       ? "all ranks"
                                       : fmt::format("{} {}", uncounted.size(),
                                                     word(uncounted.size())));
        }
        if (data_.has_threads) {
            console_.text() << "  counters are those of the thread of each rank that calls MPI\n";
        }
    }

    void print_threads() {
        Table table = people_table("thread");
        const std::vector<ThreadTimes>& threads = data_.threads.threads;
        const auto row = [&](const std::string& name, const auto& value) {
            add_row(name, threads, value, table,
                    [&](std::size_t i) { return view_.label(threads[i].location); });
        };
        row("useful computation",
            [](const ThreadTimes& thread) { return thread.of(ThreadUse::work); });
        row(data_.has_mpi ? "in MPI" : "in communication",
            [](const ThreadTimes& thread) { return thread.mpi; });
        for (std::size_t use = 1; use < kThreadUses; ++use) {
            row(words(thread_use_name(static_cast<ThreadUse>(use))),
                [use](const ThreadTimes& thread) { return thread.uses[use]; });
        }
        table.print(console_, 2);
    }

    void print_accelerators() {
        using Use = AcceleratorUse;
        if (!data_.devices.empty()) print_devices();
        print_activity("stream", view_.accelerators.streams,
                       {{"kernels", Use::kernel}, {"copies", Use::copy}});
    }

    void print_devices() {
        Table table({{"accelerator"},
                     {"streams", kRight, 2},
                     {"kernels", kRight},
                     {"busy", kRight},
                     {"copies only", kRight, 1},
                     {"idle", kRight}});
        for (const DeviceTimes& device : data_.devices) {
            const u64 idle = device.span - device.kernels - device.copies;
            const std::string rank =
                device.process == kNone ? "" : std::to_string(device.process) + " ";
            table.add_row({rank + printable(device.name), std::to_string(device.streams),
                           time(device.kernels),
                           device.span == 0 ? "-" : share(device.kernels, device.span),
                           time(device.copies), time(idle)});
        }
        table.print(console_, 2);
    }

    static std::string share(u64 part, u64 whole) {
        return format_percent(static_cast<double>(part) / static_cast<double>(whole));
    }

    void print_activity(const std::string& who,
                        const std::vector<AcceleratorActivity::Location>& locations,
                        std::initializer_list<std::pair<const char*, AcceleratorUse>> rows) {
        if (locations.empty()) return;
        Table table = people_table(who);
        for (const auto& [name, use] : rows) {
            add_row(
                name, locations,
                [use = use](const AcceleratorActivity::Location& it) { return it.ticks_of(use); },
                table, [&](std::size_t i) { return view_.label(locations[i].location); });
        }
        table.print(console_, 2);
    }

    /// Nothing if all values are zero. `label`: of a rank or thread by number.
    template <class Person, class Value, class Label>
    void add_row(const std::string& name, const std::vector<Person>& people, const Value& value,
                 Table& table, const Label& label) const {
        u64 least = ~u64{0};
        u64 most = 0;
        u64 sum = 0;
        std::size_t worst = 0;
        for (std::size_t i = 0; i < people.size(); ++i) {
            const u64 ticks = value(people[i]);
            least = std::min(least, ticks);
            if (ticks > most) worst = i;
            most = std::max(most, ticks);
            sum += ticks;
        }
        if (most == 0) return;
        table.add_row({name, time(least), time(sum / people.size()), time(most), label(worst)});
    }

    [[nodiscard]] PathWaits rank_waits() const {
        PathWaits waits;
        for (const Efficiency::Wait& wait : data_.waits) {
            waits.add(wait.path, wait_name(wait.kind), waiter(view_, wait), wait.count, wait.ticks);
        }
        return waits;
    }

    [[nodiscard]] PathWaits thread_waits() const {
        PathWaits waits;
        for (const ThreadEfficiency::Wait& wait : data_.threads.waits) {
            const bool of_threads = !data_.threads.threads.empty();
            waits.add(wait.path, thread_use_name(wait.use),
                      of_threads ? view_.label(wait.location) : data_.names[wait.process],
                      wait.count, wait.ticks);
        }
        return waits;
    }

    void print_waits(const PathWaits& all, const std::string& who) {
        const std::vector<PathWait> waits = all.sorted();
        if (waits.empty()) return;
        Table table({{"wait time", kRight},
                     {"calls", kRight, 2},
                     {"max", kRight, 1},
                     {who, kRight},
                     {"kind"},
                     {"call path"}});
        for (std::size_t i = 0; i < std::min(kMostPaths, waits.size()); ++i) {
            const PathWait& wait = waits[i];
            table.add_row({time(wait.ticks), format_count(wait.count), time(wait.worst_ticks),
                           wait.worst, words(wait.kind), printable(wait.path)});
        }
        table.print(console_, 2);
        if (waits.size() > kMostPaths) {
            console_.text() << "  and " << waits.size() - kMostPaths << " more; --csv lists all\n";
        }
    }

    const EfficiencyView& view_;
    const Efficiency& data_;
    Console& console_;
};

}  // namespace

void print_efficiency(const EfficiencyView& view, Console& console) {
    EfficiencyPrinter(view, console).run();
}

}  // namespace tracefold
