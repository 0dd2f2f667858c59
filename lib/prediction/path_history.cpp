// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/path_history.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kFewCosts = 32;
constexpr std::size_t kFewNodes = 1024;

}  // namespace

void PathHistory::sum_up(std::vector<Cost>& costs) {
    std::ranges::sort(costs, {}, &Cost::key);
    std::size_t last = 0;
    for (std::size_t i = 1; i < costs.size(); ++i) {
        if (costs[i].key == costs[last].key) {
            costs[last].time += costs[i].time;
        } else {
            costs[++last] = costs[i];
        }
    }
    if (!costs.empty()) costs.resize(last + 1);
}

void PathHistory::append(Node& node, std::span<const Cost> costs) {
    node.costs.insert(node.costs.end(), costs.begin(), costs.end());
    if (node.costs.size() <= 2 * node.summed + kFewCosts) return;
    sum_up(node.costs);
    node.summed = node.costs.size();
}

PathHistory::Ref PathHistory::extend(Ref base, std::span<const Cost> costs) {
    if (costs.empty()) return base;
    if (base != kNone && nodes_[base].holders == 1) {
        append(nodes_[base], costs);
        return base;
    }
    if (live_ >= join_at_) join_unbranched();
    if (free_.empty()) {
        free_.push_back(static_cast<Ref>(nodes_.size()));
        nodes_.emplace_back();
    }
    const Ref made = free_.back();
    free_.pop_back();
    Node& node = nodes_[made];
    node.before = base;
    node.depth = depth_of(base) + 1;
    node.holders = 1;
    node.summed = 0;
    node.costs.assign(costs.begin(), costs.end());
    ++live_;
    return made;
}

void PathHistory::release(Ref moment) {
    while (moment != kNone && --nodes_[moment].holders == 0) {
        const Ref before = nodes_[moment].before;
        free(moment);
        moment = before;
    }
}

void PathHistory::free(Ref node) {
    // What grew large is not kept for something small.
    if (nodes_[node].costs.capacity() > 4 * kFewCosts) nodes_[node].costs = {};
    nodes_[node].holders = 0;
    free_.push_back(node);
    --live_;
}

void PathHistory::join_unbranched() {
    for (Node& node : nodes_) {
        if (node.holders == 0) continue;
        while (node.before != kNone && nodes_[node.before].holders == 1) {
            const Ref before = node.before;
            node.summed = std::max(node.summed, nodes_[before].summed);
            // The smaller part goes to the larger one.
            std::vector<Cost>& costs = nodes_[before].costs;
            if (costs.size() > node.costs.size()) std::swap(node.costs, costs);
            append(node, costs);
            node.before = nodes_[before].before;
            free(before);
        }
    }
    join_at_ = std::max(2 * live_, kFewNodes);
}

void PathHistory::step_back(Ref& node, std::vector<Cost>& costs) const {
    const Node& left = nodes_[node];
    costs.insert(costs.end(), left.costs.begin(), left.costs.end());
    node = left.before;
}

void PathHistory::since_common(Ref a, Ref b, std::vector<Cost>& of_a,
                               std::vector<Cost>& of_b) const {
    while (a != b) {
        const u64 depth = depth_of(a);
        if (depth >= depth_of(b))
            step_back(a, of_a);
        else
            step_back(b, of_b);
    }
}

std::vector<PathHistory::Cost> PathHistory::costs(Ref moment) const {
    std::vector<Cost> all;
    for (; moment != kNone; moment = nodes_[moment].before) {
        all.insert(all.end(), nodes_[moment].costs.begin(), nodes_[moment].costs.end());
    }
    sum_up(all);
    return all;
}

}  // namespace tracefold
