// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/predict/predict.hpp"

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "inspect/command.hpp"
#include "inspect/predict/network_options.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

namespace tracefold {

namespace {

/// A speed-up of computation in call paths with a matching region.
struct Speedup {
    NameFilter names;
    double factor = 1;
};

struct PredictArguments {
    TraceInput input;
    OutputFormat format;
    NetworkOptions networks;
    std::vector<std::string> faster;
    bool delays = false;
    bool steps = false;
    std::string advice;  ///< file for an advised order of ranks; empty: predict
    bool force = false;
};

/// "solve*=2"
Speedup parse_speedup(const std::string& text) {
    const std::size_t at = text.rfind('=');
    Speedup speedup;
    const char* end = text.data() + text.size();
    const char* number = at == std::string::npos ? end : text.data() + at + 1;
    const auto [rest, error] = std::from_chars(number, end, speedup.factor);
    if (at == 0 || error != std::errc() || rest != end || !(speedup.factor > 0) ||
        !std::isfinite(speedup.factor)) {
        throw Error(ErrorKind::usage,
                    "--faster {}: expected a pattern and a factor such as 'solve*=2'", text);
    }
    speedup.names.add(text.substr(0, at));
    return speedup;
}

/// The product of speed-ups that match a region of the path, or the whole path.
double speed_of(const std::string& path, std::vector<Speedup>& speedups) {
    double factor = 1;
    for (Speedup& speedup : speedups) {
        bool matches = speedup.names.matches(path);
        std::size_t begin = 0;
        while (!matches && begin < path.size()) {
            const std::size_t end = std::min(path.find('/', begin), path.size());
            matches = speedup.names.matches(path.substr(begin, end - begin));
            begin = end + 1;
        }
        if (matches) factor *= speedup.factor;
    }
    return factor;
}

/// Searches an order of ranks, writes it, and shows the traffic by level before and after.
void advise(const PredictArguments& arguments, TraceFile& file, Console& console) {
    const Placement placement = arguments.networks.place(file);
    const Network network = arguments.networks.described();
    if (!RankLevels(network, placement).depend_on_order()) {
        throw Error(ErrorKind::usage,
                    "--advise-placement: all pairs of ranks are on one level in any order; place "
                    "several ranks on each of several nodes (--ranks-per-node), or give a network "
                    "of more levels");
    }
    AtomicFile out(arguments.advice, arguments.force);
    const PlacementAdvice advice = advise_placement(file, network, placement);
    out.write(rank_order_text(advice.order));
    out.commit();
    const PlacementView view{arguments.input.path, arguments.advice, network, placement, advice};
    arguments.format.show(view, console, write_placement_json, write_placement_csv,
                          print_placement);
}

ExitCode run_predict(const PredictArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    std::vector<Speedup> speedups;
    for (const std::string& text : arguments.faster) speedups.push_back(parse_speedup(text));
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    if (!arguments.advice.empty()) {
        on_first(comm, [&] {
            naming_file(arguments.input.path, [&] { advise(arguments, input->file(), console); });
        });
        return exit_ok;
    }
    PredictView view;
    view.file = arguments.input.path;
    view.definitions = &input->file().definitions();
    PredictionRequest request;
    agree(comm, [&] {
        naming_file(view.file, [&] { request = arguments.networks.request(input->file()); });
    });
    request.delays = arguments.delays;
    request.steps = arguments.steps;
    if (!speedups.empty()) {
        request.faster = [&](const std::string& path) { return speed_of(path, speedups); };
        view.faster = CLI::detail::join(arguments.faster, ", ");
    }
    view.has_delays = request.delays;
    view.has_steps = request.steps;
    view.placement = request.placement;
    view.order = arguments.networks.placement;
    view.data = naming_file(view.file, [&] { return predict(comm, input->file(), request); });
    on_first(comm, [&] {
        arguments.format.show(view, console, write_prediction_json, write_prediction_csv,
                              print_prediction);
    });
    return exit_ok;
}

}  // namespace

std::string PredictView::path(u32 node) const {
    return node == kNone ? "outside of all regions" : path_of(*definitions, data.tree, node);
}

double PredictView::recorded_share(const NetworkPrediction& network) {
    const double recorded =
        sums_by_kind(network.path)[static_cast<std::size_t>(CostKind::recorded)];
    return network.run_time > 0 ? recorded / network.run_time : 0;
}

double PredictView::share_of_ranks(double seconds) const {
    const double all = data.recorded_run_time * static_cast<double>(placement.node_of_rank.size());
    return all > 0 ? seconds / all : 0;
}

std::string_view cost_name(CostKind kind) {
    constexpr std::array<std::string_view, kCostKinds> names = {
        "computation", "as recorded", "latency", "overhead", "gap", "bytes"};
    return names[static_cast<std::size_t>(kind)];
}

CostSums sums_by_kind(const std::vector<PathCost>& path) {
    std::array<i64, kCostKinds> sums{};
    for (const PathCost& cost : path) sums[static_cast<std::size_t>(cost.kind)] += cost.time;
    CostSums seconds{};
    for (std::size_t kind = 0; kind < kCostKinds; ++kind) {
        seconds[kind] = static_cast<double>(sums[kind]) / kPicosecondsPerSecond;
    }
    return seconds;
}

std::vector<StepRow> rows_by_step(const std::vector<PathCost>& path) {
    std::map<u32, std::vector<PathCost>> by_step;
    for (const PathCost& cost : path) by_step[cost.node].push_back(cost);
    std::vector<StepRow> rows;
    for (const auto& [step, costs] : by_step) {
        StepRow& row = rows.emplace_back();
        row.step = step;
        row.kinds = sums_by_kind(costs);
        for (const PathCost& cost : costs) {
            row.time += cost.time;
            row.ranks[cost.rank] += cost.time;
        }
    }
    return rows;
}

InspectCommand add_predict_command(CLI::App& app) {
    auto arguments = std::make_shared<PredictArguments>();
    CLI::App* predict =
        app.add_subcommand("predict", "Predict the run time on another network, and why");
    arguments->input.add_options(*predict);
    arguments->networks.add_options(*predict);
    predict
        ->add_option("--faster", arguments->faster,
                     "Also predict the run time with the computation in these regions, and in all "
                     "that they call, FACTOR times as fast; may be repeated")
        ->type_name("PATTERN=FACTOR");
    predict->add_flag("--delays", arguments->delays,
                      "Also show the causes of waits, and their cost");
    predict->add_flag("--steps", arguments->steps,
                      "Also show the critical path by step of the program");
    predict
        ->add_option("--advise-placement", arguments->advice,
                     "Do not predict, but write an order of ranks with less traffic across levels, "
                     "for --placement")
        ->type_name("FILE");
    predict->add_flag("-f,--force", arguments->force, "Replace the file of --advise-placement");
    arguments->format.add_options(*predict, false);
    return {predict, [arguments](Console& console, Communicator& comm) {
                return run_predict(*arguments, console, comm);
            }};
}

namespace {

/// network,what,item,rank,value
class PredictionCsv {
  public:
    PredictionCsv(const PredictView& view, std::ostream& out) : view_(view), out_(out) {}

    void run() {
        out_ << "network,what,item,rank,value\n";
        line("recorded", "run time", "", "", view_.data.recorded_run_time);
        if (view_.data.max_to_mean) {
            line("recorded", "max_to_mean", "", "", *view_.data.max_to_mean);
        }
        for (const NetworkPrediction& it : view_.data.networks) write(it);
        for (const auto& [kind, calls] : view_.data.unmodelled) {
            line("", "taken as recorded", kind, "", calls.seconds);
        }
        for (const auto& [kind, calls] : view_.data.held_order) {
            line("", "order as recorded", kind, "", calls.seconds);
        }
        if (view_.data.empty_matrices.calls != 0) {
            line("", "without messages", kMatrixKind, "", view_.data.empty_matrices.seconds);
        }
    }

  private:
    void line(std::string_view network, std::string_view what, std::string_view item,
              std::string_view rank, double value) {
        out_ << csv_field(network) << ',' << what << ',' << csv_field(item) << ',' << rank << ','
             << csv_number(value) << '\n';
    }

    void write(const NetworkPrediction& it) {
        const std::string& name = it.network.name;
        line(name, "run time", "", "", it.run_time);
        if (it.bounds) {
            line(name, "run time", "all durations at their shortest", "", it.bounds->least);
            line(name, "run time", "all durations at their longest", "", it.bounds->most);
        }
        line(name, "share of the critical path", "as recorded", "",
             PredictView::recorded_share(it));
        for (std::size_t level = 0; level < it.traffic.size(); ++level) {
            const std::string& item = it.network.levels[level].name;
            line(name, "messages", item, "", static_cast<double>(it.traffic[level].messages));
            line(name, "bytes", item, "", static_cast<double>(it.traffic[level].bytes));
        }
        if (it.ideal_run_time) line(name, "ideal run time", "", "", *it.ideal_run_time);
        if (it.faster_run_time) line(name, "run time", view_.faster, "", *it.faster_run_time);
        // Taken as 0, which is their value in this table.
        it.network.unknown.names(
            [&](std::string_view parameter) { line(name, "unknown", parameter, "", 0); });
        line(name, "derivative", "latency", "", static_cast<double>(it.latencies));
        line(name, "derivative", "overhead", "", static_cast<double>(it.overheads));
        line(name, "derivative", "per_byte", "", static_cast<double>(it.bytes));
        for (const NetworkPrediction::Tolerance& tolerance : it.tolerances) {
            const std::string item = csv_number(tolerance.slowdown);
            if (tolerance.latency && !it.network.unknown.latency)
                line(name, "latency for slowdown", item, "", *tolerance.latency);
            if (tolerance.per_byte && !it.network.unknown.per_byte) {
                line(name, "time per byte for slowdown", item, "", *tolerance.per_byte);
            }
        }
        for (const NetworkPrediction::Reordering& at : it.reorderings) {
            line(name, "reordered run time at latency", csv_number(at.latency), "", at.reordered);
        }
        for (const auto& point : it.over_latency) {
            line(name, "run time at latency", csv_number(point.value), "", point.run_time);
        }
        for (const auto& point : it.over_bytes) {
            line(name, "run time at time per byte", csv_number(point.value), "", point.run_time);
        }
        for (const PathCost& cost : it.path) {
            line(name, "critical path: " + std::string(cost_name(cost.kind)), view_.path(cost.node),
                 std::to_string(cost.rank), static_cast<double>(cost.time) / kPicosecondsPerSecond);
        }
        for (const PathCost& cost : it.path_by_step) {
            const std::string step = cost.node == kNone ? std::string() : std::to_string(cost.node);
            line(name, "critical path by step: " + std::string(cost_name(cost.kind)), step,
                 std::to_string(cost.rank), static_cast<double>(cost.time) / kPicosecondsPerSecond);
        }
        for (const DelayCost& cost : it.delays) {
            const std::string rank = std::to_string(cost.rank);
            const std::string what = "delay: " + std::string(cost_name(cost.kind));
            line(name, what + ", direct", view_.path(cost.node), rank,
                 cost.direct / kPicosecondsPerSecond);
            line(name, what + ", propagated", view_.path(cost.node), rank,
                 cost.propagated / kPicosecondsPerSecond);
        }
        for (const NetworkPrediction::Gain& gain : it.gains) {
            line(name, "gain if twice as fast", view_.path(gain.node), "", gain.gain);
        }
    }

    const PredictView& view_;
    std::ostream& out_;
};

}  // namespace

void write_prediction_csv(const PredictView& view, std::ostream& out) {
    PredictionCsv(view, out).run();
}

namespace {

double seconds(double picoseconds) { return picoseconds / kPicosecondsPerSecond; }

class PredictionJson {
  public:
    PredictionJson(const PredictView& view, JsonWriter& json) : view_(view), json_(json) {}

    void run() {
        const Prediction& data = view_.data;
        begin_document(json_, "predict")
            .member("file", view_.file)
            .member("recorded_run_time", data.recorded_run_time);
        write_optional("max_to_mean", data.max_to_mean);
        json_.member("calls", data.calls)
            .member("messages", data.messages)
            .member("nodes", view_.placement.nodes())
            .member("nodes_recorded", view_.placement.is_recorded)
            .member("placement", view_.order.empty() ? "recorded" : view_.order);
        json_.key("networks").begin_array();
        for (const NetworkPrediction& network : data.networks) write(network);
        json_.end_array();
        write_calls("taken_as_recorded", data.unmodelled);
        write_calls("order_as_recorded", data.held_order);
        UnmodelledByKind matrices;
        if (data.empty_matrices.calls != 0) matrices[kMatrixKind] = data.empty_matrices;
        write_calls("without_messages", matrices);
        json_.end_object();
    }

  private:
    void write_calls(std::string_view name, const UnmodelledByKind& all) {
        write_objects(name, all, json_, [&](const auto& one) {
            const auto& [kind, calls] = one;
            json_.member("kind", kind)
                .member("calls", calls.calls)
                .member("seconds", calls.seconds)
                .member("share", view_.share_of_ranks(calls.seconds));
        });
    }

    void write(const NetworkPrediction& it) {
        json_.begin_object().member("name", it.network.name).member("source", it.network.source);
        write_levels(it);
        json_.key("rendezvous");
        if (it.network.rendezvous == Network::kNever) {
            json_.null();
        } else {
            json_.value(it.network.rendezvous);
        }
        json_.key("unknown").begin_array();
        it.network.unknown.names([&](std::string_view parameter) { json_.value(parameter); });
        json_.end_array();
        json_.member("run_time", it.run_time);
        if (it.bounds) {
            const auto& [least, most] = *it.bounds;
            json_.key("bounds").begin_array().value(least).value(most).end_array();
        }
        json_.member("recorded_share", PredictView::recorded_share(it));
        write_optional("ideal_run_time", it.ideal_run_time);
        if (it.faster_run_time) {
            json_.member("faster", view_.faster).member("faster_run_time", *it.faster_run_time);
        }
        write_derivatives(it);
        write_tolerances(it);
        write_curve("over_latency", "latency", it.over_latency);
        write_curve("over_per_byte", "per_byte", it.over_bytes);
        write_path(it);
        if (view_.has_steps) write_steps(it);
        if (view_.has_delays) write_delays(it);
        json_.end_object();
    }

    void write_levels(const NetworkPrediction& it) {
        json_.key("levels").begin_array();
        for (std::size_t level = 0; level < it.network.levels.size(); ++level) {
            const NetworkLevel& one = it.network.levels[level];
            json_.begin_object().member("name", one.name);
            if (one.cores != 0) json_.member("cores", one.cores);
            if (one.nodes != 0) json_.member("nodes", one.nodes);
            json_.member("latency", seconds(static_cast<double>(one.link.latency)))
                .member("overhead", seconds(static_cast<double>(one.link.overhead)))
                .member("gap", seconds(static_cast<double>(one.link.gap)))
                .member("per_byte", seconds(one.link.per_byte))
                .member("overhead_per_byte", seconds(one.link.overhead_per_byte))
                .member("messages", it.traffic[level].messages)
                .member("bytes", it.traffic[level].bytes)
                .end_object();
        }
        json_.end_array()
            .member("counted_level", it.network.levels[it.counted].name)
            .member("adapters_per_node", it.network.adapters_per_node);
    }

    void write_derivatives(const NetworkPrediction& it) {
        json_.key("derivatives")
            .begin_object()
            .member("latency", it.latencies)
            .member("overhead", it.overheads)
            .member("per_byte", it.bytes)
            .end_object();
    }

    void write_optional(std::string_view name, const std::optional<double>& value) {
        json_.key(name);
        if (value) {
            json_.value(*value);
        } else {
            json_.null();
        }
    }

    void write_tolerances(const NetworkPrediction& it) {
        write_objects("tolerances", it.tolerances, json_, [&](const auto& tolerance) {
            json_.member("slowdown", tolerance.slowdown);
            if (!it.network.unknown.latency) write_optional("latency", tolerance.latency);
            if (!it.network.unknown.per_byte) write_optional("per_byte", tolerance.per_byte);
        });
        write_objects("reorderings", it.reorderings, json_, [&](const auto& at) {
            json_.member("latency", at.latency)
                .member("run_time_held", at.held)
                .member("run_time_reordered", at.reordered);
        });
    }

    void write_curve(std::string_view name, std::string_view parameter,
                     const std::vector<NetworkPrediction::CurvePoint>& curve) {
        write_objects(name, curve, json_, [&](const NetworkPrediction::CurvePoint& point) {
            json_.member(parameter, point.value)
                .member("run_time", point.run_time)
                .member("derivative", point.gradient);
        });
    }

    void write_delays(const NetworkPrediction& it) {
        json_.key("delays").begin_object().member("waited", it.waited);
        write_objects("causes", it.delays, json_, [&](const DelayCost& cost) {
            json_.member("rank", cost.rank)
                .member("path", view_.path(cost.node))
                .member("kind", cost_name(cost.kind))
                .member("direct", seconds(cost.direct))
                .member("propagated", seconds(cost.propagated));
        }).end_object();
    }

    void write_steps(const NetworkPrediction& it) {
        const std::vector<StepRow> rows = rows_by_step(it.path_by_step);
        write_objects("critical_path_by_step", rows, json_, [&](const StepRow& row) {
            json_.key("step");
            if (row.step == kNone) {
                json_.null();
            } else {
                json_.value(u64{row.step});
            }
            json_.member("seconds", seconds(static_cast<double>(row.time)));
            json_.key("parts").begin_array();
            for (std::size_t kind = 0; kind < kCostKinds; ++kind) {
                if (row.kinds[kind] == 0) continue;
                json_.begin_object()
                    .member("kind", cost_name(static_cast<CostKind>(kind)))
                    .member("seconds", row.kinds[kind])
                    .end_object();
            }
            json_.end_array();
            json_.key("ranks").begin_array();
            for (const auto& [rank, time] : row.ranks) json_.value(u64{rank});
            json_.end_array();
        });
    }

    void write_path(const NetworkPrediction& it) {
        json_.key("critical_path").begin_object().member("last_rank", it.last_rank);
        write_objects("parts", it.path, json_, [&](const PathCost& cost) {
            json_.member("rank", cost.rank)
                .member("path", view_.path(cost.node))
                .member("kind", cost_name(cost.kind))
                .member("picoseconds", cost.time);
        }).end_object();
        write_objects("gains", it.gains, json_, [&](const NetworkPrediction::Gain& gain) {
            json_.member("path", view_.path(gain.node))
                .member("on_critical_path", gain.on_path)
                .member("gain", gain.gain);
        });
    }

    const PredictView& view_;
    JsonWriter& json_;
};

}  // namespace

void write_prediction_json(const PredictView& view, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    PredictionJson(view, json).run();
}

void write_placement_csv(const PlacementView& view, std::ostream& out) {
    out << "level,bytes,advised_bytes\n";
    for (std::size_t level = 0; level < view.advice.levels.size(); ++level) {
        const auto [before, after] = view.advice.levels[level];
        out << csv_field(view.network.levels[level].name) << ',' << before << ',' << after << '\n';
    }
}

void write_placement_json(const PlacementView& view, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "placement")
        .member("file", view.file)
        .member("order_file", view.order_file)
        .member("ranks", view.advice.order.size())
        .member("nodes", view.placement.nodes());
    std::size_t level = 0;
    write_objects("levels", view.advice.levels, json, [&](const PlacementAdvice::Traffic& traffic) {
        json.member("name", view.network.levels[level++].name)
            .member("bytes", traffic.before)
            .member("advised_bytes", traffic.after);
    }).end_object();
}

}  // namespace tracefold
