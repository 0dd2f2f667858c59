// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/duration_collector.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

void DurationCollector::add(const std::vector<CallBatch::Delta>& deltas,
                            const std::vector<Symbol>& symbols) {
    for (std::size_t symbol = nodes_.size(); symbol < symbols.size(); ++symbol) {
        add_symbol(symbols[symbol].elements.size());
    }
    for (const CallBatch::Delta& delta : deltas) add(places_[delta.group], delta.ticks);
}

void DurationCollector::add_symbol(std::size_t elements) {
    const u32 symbol = static_cast<u32>(nodes_.size());
    for (u32 element = 0; element < elements; ++element) places_.push_back({symbol, element});
    nodes_.push_back({symbol, {}, std::vector<TimingModel::Step>(elements)});
    edges_.emplace_back();
}

void DurationCollector::add(RecordPlace place, u64 ticks) {
    if (place.element == 0) return begin_call(place.symbol, ticks);
    TimingModel::Step& step = nodes_[place.symbol].steps[place.element];
    ++step.count;
    step.sum += ticks;
    elapsed_ += ticks;
}

/// The way to the very first call is a point in time, not a duration.
void DurationCollector::begin_call(u32 symbol, u64 ticks) {
    if (current_ != kNone) {
        end_call();
        edge(edges_[symbol], current_).durations.add(ticks);
    }
    current_ = symbol;
    elapsed_ = 0;
}

void DurationCollector::end_call() { nodes_[current_].durations.all.add(elapsed_); }

DurationCollector::Edge& DurationCollector::edge(Edges& edges, u32 from) {
    if (edges.last < edges.all.size() && edges.all[edges.last].from == from) {
        return edges.all[edges.last];
    }
    std::size_t i = 0;
    while (i < edges.all.size() && edges.all[i].from != from) ++i;
    if (i == edges.all.size()) edges.all.push_back({from, {}});
    edges.last = i;
    return edges.all[i];
}

TimingModel DurationCollector::finish(u32 location) {
    if (current_ != kNone) end_call();
    TimingModel model;
    const auto with_mean = [location](LogHistogram all) {
        const u64 mean = rounded_mean(all.mean());
        return Durations{std::move(all), {{location, 1, mean}}};
    };
    for (TimingModel::Node& node : nodes_) {
        if (node.durations.all.count() == 0) continue;
        node.durations = with_mean(std::move(node.durations.all));
        model.nodes.push_back(std::move(node));
    }
    for (u32 to = 0; to < edges_.size(); ++to) {
        for (Edge& edge : edges_[to].all) {
            model.edges.push_back({edge.from, to, with_mean(std::move(edge.durations))});
        }
    }
    return model;
}

}  // namespace tracefold
