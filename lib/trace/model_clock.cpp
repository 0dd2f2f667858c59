// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/model_clock.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/wide_integer.hpp"

#include <utility>

namespace tracefold {

namespace {

/// value * numerator / denominator; value if the denominator is 0.
u64 scaled(u64 value, u64 numerator, u64 denominator) {
    if (denominator == 0) return value;
    return static_cast<u64>(static_cast<u128>(value) * numerator / denominator);
}

}  // namespace

ModelClock::ModelClock(const TimingModel& model, u32 location, std::size_t symbols,
                       std::optional<u64> seed)
    : steps_(symbols),
      edges_(symbols),
      draws_(seed.has_value()),
      random_(mix(seed.value_or(0)) + kGolden * location) {
    for (const TimingModel::Node& node : model.nodes) {
        const u64 mine = mean_of(node.durations, location);
        for (const TimingModel::Step& step : node.steps) {
            const u64 mean = step.count == 0 ? 0 : step.sum / step.count;
            steps_[node.symbol].push_back(scaled(mean, mine, node.durations.all.mean()));
        }
    }
    for (const TimingModel::Edge& edge : model.edges) {
        edges_[edge.to].push_back(
            {edge.from, mean_of(edge.durations, location), &edge.durations.all});
    }
}

u64 ModelClock::duration(const Edge& edge) {
    if (!draws_ || edge.all->count() == 0) return edge.mean;
    // SplitMix64 (Steele, Lea, Flood: OOPSLA 2014).
    random_ += kGolden;
    const u64 drawn = edge.all->at(mix(random_) % edge.all->count());
    return scaled(drawn, edge.mean, edge.all->mean());
}

u64 ModelClock::next(RecordPlace place) {
    const auto refuse = [] {
        throw Error(ErrorKind::corrupt, "the durations do not fit the script");
    };
    if (place.element != 0) {
        const std::vector<u64>& steps = steps_[place.symbol];
        if (place.element >= steps.size()) refuse();
        return steps[place.element];
    }
    const u32 from = std::exchange(symbol_, place.symbol);
    std::vector<Edge>& edges = edges_[place.symbol];
    for (Edge& edge : edges) {
        if (edge.from != from) continue;
        std::swap(edge, edges.front());
        return duration(edges.front());
    }
    if (from != kNone) refuse();
    return 0;
}

}  // namespace tracefold
