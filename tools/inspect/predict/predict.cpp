// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/predict/predict.hpp"

#include "common/name_filter.hpp"
#include "common/output_format.hpp"
#include "common/units.hpp"
#include "inspect/command.hpp"
#include "io/regular_file.hpp"
#include "prediction/calibration.hpp"
#include "profile/trace_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

namespace tracefold {

namespace {

constexpr std::string_view kMeasured = "measured";
constexpr u64 kMostBytes = u64{1} << 20U;  ///< of a description

/// Parameters of the command line in place of those of the networks; negative: not given.
struct GivenParameters {
    double latency = -1;
    double overhead = -1;
    double gap = -1;
    double per_byte = -1;
    double overhead_per_byte = -1;
    std::optional<u64> rendezvous;

    [[nodiscard]] bool any() const {
        return latency >= 0 || overhead >= 0 || gap >= 0 || per_byte >= 0 ||
               overhead_per_byte >= 0 || rendezvous;
    }
};

/// Computation that is faster: call paths with a region of such a name.
struct Speedup {
    NameFilter names;
    double factor = 1;
};

struct PredictArguments {
    TraceInput input;
    OutputFormat format;
    std::vector<std::string> networks;
    GivenParameters given;
    u32 ranks_per_node = 0;
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    std::vector<std::string> faster;
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

Network named_network(const std::string& name, TraceFile& file, const Placement& placement) {
    if (name == kMeasured) return measure_network(file, placement);
    for (const KnownNetwork& known : known_networks()) {
        if (known.name == name) return parse_network(known.json, name);
    }
    if (!std::filesystem::exists(name)) {
        std::string all(kMeasured);
        for (const KnownNetwork& known : known_networks()) all += ", " + std::string(known.name);
        throw Error(ErrorKind::usage, "--network {}: neither a file nor one of {}", name, all);
    }
    return parse_network(read_small_file(name, kMostBytes), name);
}

void give(Network& network, const GivenParameters& given) {
    for (LinkParameters& link : network.links) {
        const auto set = [](double seconds, i64& to) {
            if (seconds >= 0) to = std::llround(seconds * kPicosecondsPerSecond);
        };
        set(given.latency, link.latency);
        set(given.overhead, link.overhead);
        set(given.gap, link.gap);
        if (given.per_byte >= 0) link.per_byte = given.per_byte * kPicosecondsPerSecond;
        if (given.overhead_per_byte >= 0) {
            link.overhead_per_byte = given.overhead_per_byte * kPicosecondsPerSecond;
        }
    }
    if (given.rendezvous) network.rendezvous = *given.rendezvous;
    if (given.any()) network.source += network.source.empty() ? "as given" : "; changed as given";
}

std::vector<Network> networks_of(const PredictArguments& arguments, TraceFile& file,
                                 const Placement& placement) {
    std::vector<Network> networks;
    for (const std::string& name : arguments.networks) {
        networks.push_back(named_network(name, file, placement));
    }
    if (networks.empty() && arguments.given.any()) {
        networks.emplace_back().name = "given";
    } else if (networks.empty()) {
        networks.push_back(measure_network(file, placement));
    }
    for (Network& network : networks) give(network, arguments.given);
    return networks;
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
        naming_file(view.file, [&] {
            request.placement = place_ranks(input->file(), arguments.ranks_per_node);
            request.networks = networks_of(arguments, input->file(), request.placement);
        });
    });
    request.collectives = arguments.collectives;
    if (!speedups.empty()) {
        request.faster = [&](const std::string& path) { return speed_of(path, speedups); };
        for (const std::string& text : arguments.faster) {
            view.faster += (view.faster.empty() ? "" : ", ") + text;
        }
    }
    view.placement = request.placement;
    view.data = naming_file(view.file, [&] { return predict(comm, input->file(), request); });
    agree(comm, [&] {
        if (comm.rank() != 0) return;
        if (console.json()) {
            write_prediction_json(view, console);
        } else if (arguments.format.csv) {
            write_prediction_csv(view, console.out());
        } else {
            print_prediction(view, console);
        }
    });
    return exit_ok;
}

void add_time(CLI::App& app, const std::string& name, double& seconds, const std::string& what) {
    app.add_option_function<std::string>(
           name, [&seconds](const std::string& text) { seconds = parse_seconds(text); }, what)
        ->type_name("TIME");
}

void add_parameters(CLI::App& app, GivenParameters& given) {
    add_time(app, "--latency", given.latency, "L: of a message, as in 2us");
    add_time(app, "--overhead", given.overhead, "o: of the processor for each message");
    add_time(app, "--gap", given.gap, "g: between messages of an adapter");
    add_time(app, "--per-byte", given.per_byte, "G: of the adapter for each byte, as in 0.04ns");
    add_time(app, "--overhead-per-byte", given.overhead_per_byte,
             "O: of the processor for each byte");
    app.add_option("--rendezvous", given.rendezvous,
                   "S: larger messages wait for their receives (default: none does)")
        ->type_name("BYTES");
}

}  // namespace

std::string PredictView::path(u32 node) const {
    return node == kNone ? "outside of all regions" : path_of(*definitions, data.tree, node);
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

InspectCommand add_predict_command(CLI::App& app) {
    auto arguments = std::make_shared<PredictArguments>();
    CLI::App* predict = app.add_subcommand(
        "predict", "How long the program would take on another network, and what makes it so");
    arguments->input.add_options(*predict);
    predict
        ->add_option("--network", arguments->networks,
                     "measured (default), ethernet, infiniband, slingshot, or a file that "
                     "describes one; may be repeated")
        ->type_name("NAME|FILE");
    add_parameters(*predict, arguments->given);
    predict
        ->add_option("--ranks-per-node", arguments->ranks_per_node,
                     "Place ranks in this way (default: as recorded, or 1 if all were on one "
                     "node)")
        ->default_str("")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    std::vector<std::pair<std::string, CollectiveAlgorithm>> choices;
    for (const std::string_view word : algorithm_words()) {
        choices.emplace_back(word, static_cast<CollectiveAlgorithm>(choices.size()));
    }
    add_choice<CollectiveAlgorithm>(*predict, "--collectives", arguments->collectives, choices,
                                    "How collective operations become messages");
    predict
        ->add_option("--faster", arguments->faster,
                     "Also what the run would take if the computation of these regions, and of "
                     "what they call, were so many times as fast; may be repeated")
        ->type_name("PATTERN=FACTOR");
    arguments->format.add_options(*predict, false);
    return {predict, [arguments](Console& console, Communicator& comm) {
                return run_predict(*arguments, console, comm);
            }};
}

}  // namespace tracefold
