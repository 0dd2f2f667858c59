// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/predict/predict.hpp"

#include "common/name_filter.hpp"
#include "common/output_format.hpp"
#include "inspect/command.hpp"
#include "inspect/predict/network_options.hpp"
#include "profile/trace_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

namespace tracefold {

namespace {

/// Computation that is faster: call paths with a region of such a name.
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
        throw Error(ErrorKind::usage, "--faster {}: not a pattern and a factor such as 'solve*=2'",
                    text);
    }
    speedup.names.add(text.substr(0, at));
    return speedup;
}

/// The product of all that a region of the path, or the path as a whole, is named by.
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

ExitCode run_predict(const PredictArguments& arguments, Console& console, Communicator& comm) {
    arguments.format.check(console);
    std::vector<Speedup> speedups;
    for (const std::string& text : arguments.faster) speedups.push_back(parse_speedup(text));
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
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
    CLI::App* predict = app.add_subcommand(
        "predict", "How long the program would take on another network, and what makes it so");
    arguments->input.add_options(*predict);
    arguments->networks.add_options(*predict);
    predict
        ->add_option("--faster", arguments->faster,
                     "Also what the run would take if the computation of these regions, and of "
                     "what they call, were so many times as fast; may be repeated")
        ->type_name("PATTERN=FACTOR");
    predict->add_flag("--delays", arguments->delays,
                      "Also what makes ranks wait for others, and how much");
    predict->add_flag("--steps", arguments->steps, "Also the critical path by step of the program");
    arguments->format.add_options(*predict, false);
    return {predict, [arguments](Console& console, Communicator& comm) {
                return run_predict(*arguments, console, comm);
            }};
}

}  // namespace tracefold
