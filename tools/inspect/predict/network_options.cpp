// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/predict/network_options.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "common/common_options.hpp"
#include "common/text.hpp"
#include "forecast/network.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::string_view kMeasured = "measured";
constexpr double kMostSeconds = 1;
constexpr u64 kMostBytes = u64{1} << 20U;  ///< of a description
constexpr u64 kMostOrder = u64{1} << 30U;  ///< of an order of ranks, in bytes

Network described_network(const std::string& name) {
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

Network named_network(const std::string& name, TraceFile& file, const Placement& placement) {
    return name == kMeasured ? measure_network(file, placement) : described_network(name);
}

void give(Network& network, const NetworkOptions::Parameters& given) {
    for (NetworkLevel& level : network.levels) {
        LinkParameters& link = level.link;
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
    network.unknown.latency = network.unknown.latency && given.latency < 0;
    network.unknown.overhead = network.unknown.overhead && given.overhead < 0;
    network.unknown.gap = network.unknown.gap && given.gap < 0;
    network.unknown.per_byte = network.unknown.per_byte && given.per_byte < 0;
    if (given.rendezvous) network.rendezvous = *given.rendezvous;
    if (given.any()) network.source += network.source.empty() ? "as given" : "; changed as given";
}

std::vector<Network> networks_of(const NetworkOptions& options, TraceFile& file,
                                 const Placement& placement) {
    std::vector<Network> networks;
    for (const std::string& name : options.names) {
        networks.push_back(named_network(name, file, placement));
    }
    if (networks.empty() && options.given.any()) {
        networks.emplace_back().name = "given";
    } else if (networks.empty()) {
        networks.push_back(measure_network(file, placement));
    }
    for (Network& network : networks) give(network, options.given);
    return networks;
}

void add_time(CLI::App& app, const std::string& name, double& seconds, const std::string& what) {
    const auto assign = [&seconds, name](const std::string& text) {
        seconds = parse_seconds(text);
        if (seconds <= kMostSeconds) return;
        throw Error(ErrorKind::usage, "{} {}: no message takes longer than a second", name, text);
    };
    app.add_option_function<std::string>(name, assign, what)->type_name("TIME");
}

void add_parameters(CLI::App& app, NetworkOptions::Parameters& given) {
    add_time(app, "--latency", given.latency, "L: latency of a message, as in 2us");
    add_time(app, "--overhead", given.overhead, "o: processor time per message");
    add_time(app, "--gap", given.gap, "g: gap between messages of an adapter");
    add_time(app, "--per-byte", given.per_byte, "G: adapter time per byte, as in 0.04ns");
    add_time(app, "--overhead-per-byte", given.overhead_per_byte, "O: processor time per byte");
    app.add_option("--rendezvous", given.rendezvous,
                   "S: larger messages wait for their receives (default: none does)")
        ->type_name("BYTES");
}

}  // namespace

CLI::Option* NetworkOptions::add_network(CLI::App& app, const std::string& what) {
    return app.add_option("--network", names, what)->type_name("NAME|FILE");
}

void NetworkOptions::add_options(CLI::App& app) {
    add_network(app,
                "measured (default), ethernet, infiniband, slingshot, or a file that describes "
                "one; may be repeated");
    add_parameters(app, given);
    app.add_option("--ranks-per-node", ranks_per_node,
                   "Ranks per node (default: as recorded, or 1 if all were on one node)")
        ->default_str("")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--placement", placement,
                   "Order in which ranks fill the nodes: block, round-robin, or a file of ranks as "
                   "in MPICH_RANK_ORDER (default: as recorded)")
        ->type_name("ORDER|FILE");
    std::vector<std::pair<std::string, CollectiveAlgorithm>> choices;
    for (const std::string_view word : algorithm_words()) {
        choices.emplace_back(word, static_cast<CollectiveAlgorithm>(choices.size()));
    }
    add_choice<CollectiveAlgorithm>(app, "--collectives", collectives, choices,
                                    "Message algorithm of collective operations");
}

Placement NetworkOptions::place(TraceFile& file) const {
    Placement placed = place_ranks(file, ranks_per_node);
    const u32 ranks = file.definitions().world_size();
    if (placement == "round-robin") {
        placed.deal();
    } else if (placement == "block") {
        std::vector<u32> order(ranks);
        std::iota(order.begin(), order.end(), 0U);
        placed.assign(order);
    } else if (!placement.empty()) {
        const std::string text = read_small_file(placement, kMostOrder);
        placed.assign(parse_rank_order(text, ranks, "--placement " + placement));
    }
    return placed;
}

Network NetworkOptions::described() const {
    for (const std::string& name : names) {
        if (name != kMeasured) return described_network(name);
    }
    return {};
}

PredictionRequest NetworkOptions::request(TraceFile& file) const {
    PredictionRequest request;
    request.placement = place(file);
    request.networks = networks_of(*this, file, request.placement);
    request.collectives = collectives;
    return request;
}

}  // namespace tracefold
