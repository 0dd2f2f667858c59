// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/edge_times.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 pair_of(u32 from, u32 to) { return u64{from} << 32U | to; }

/// One execution: the mean of the members, all of the extremes.
TickSummary summary_of(const Durations& durations, const std::vector<u32>& members) {
    double sum = 0;
    for (const u32 member : members) sum += static_cast<double>(mean_of(durations, member));
    return {1, sum / static_cast<double>(members.size()), durations.all.min(), durations.all.max()};
}

template <class Map, class Key>
TickSummary find(const Map& map, Key key) {
    const auto found = map.find(key);
    return found == map.end() ? TickSummary{1, 0, 0, 0} : found->second;
}

}  // namespace

void TickSummary::add(const TickSummary& other) {
    count += other.count;
    total += other.total;
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
}

ModelTimes::ModelTimes(const TimingModel& model, const std::vector<u32>& members) {
    for (const TimingModel::Node& node : model.nodes) {
        within_.emplace(node.symbol, summary_of(node.durations, members));
    }
    for (const TimingModel::Edge& edge : model.edges) {
        between_.emplace(pair_of(edge.from, edge.to), summary_of(edge.durations, members));
    }
}

TickSummary ModelTimes::between(u32 from, u32 to) const {
    return find(between_, pair_of(from, to));
}

TickSummary ModelTimes::within(u32 symbol) const { return find(within_, symbol); }

}  // namespace tracefold
