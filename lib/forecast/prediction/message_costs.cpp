// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/message_costs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

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

/// Predecessors have smaller numbers.
void PathHistory::note_uses(std::span<Ref* const> moments) {
    uses_.assign(steps_.size(), Use::none);
    for (const Ref* const moment : moments) {
        if (*moment != kNone) uses_[*moment] = Use::kept;
    }
    for (std::size_t i = steps_.size(); i-- > 0;) {
        const Ref before = steps_[i].before;
        if (uses_[i] == Use::none || before == kNone) continue;
        uses_[before] = uses_[before] == Use::none ? Use::passed : Use::kept;
    }
}

void PathHistory::tidy(std::span<Ref* const> moments) {
    note_uses(moments);
    tidied_.clear();
    renamed_.resize(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (uses_[i] != Use::kept) continue;
        costs_.clear();
        auto at = static_cast<Ref>(i);
        do {
            costs_.push_back(steps_[at].cost);
            at = steps_[at].before;
        } while (at != kNone && uses_[at] == Use::passed);
        sum_up(costs_);
        Ref before = at == kNone ? kNone : renamed_[at];
        for (const Cost& cost : costs_) {
            tidied_.push_back({cost, before});
            before = static_cast<Ref>(tidied_.size() - 1);
        }
        renamed_[i] = before;
    }
    for (Ref* const moment : moments) {
        if (*moment != kNone) *moment = renamed_[*moment];
    }
    steps_.swap(tidied_);
    tidy_at_ = std::max(2 * steps_.size(), kFewSteps);
}

void PathHistory::since_common(Ref a, Ref b, std::vector<Cost>& of_a,
                               std::vector<Cost>& of_b) const {
    const auto step_back = [&](Ref& at, std::vector<Cost>& costs) {
        costs.push_back(steps_[at].cost);
        at = steps_[at].before;
    };
    // Predecessors have smaller numbers; the beginning has none.
    while (a != b) {
        if (b == kNone || (a != kNone && a > b)) {
            step_back(a, of_a);
        } else {
            step_back(b, of_b);
        }
    }
}

std::vector<PathHistory::Cost> PathHistory::costs(Ref moment) const {
    std::vector<Cost> all;
    for (; moment != kNone; moment = steps_[moment].before) all.push_back(steps_[moment].cost);
    sum_up(all);
    return all;
}

MessageCosts costs_of(const LinkParameters& link, u64 bytes) {
    const auto all = static_cast<double>(charged_bytes(bytes));
    const auto wire = static_cast<i64>(std::llround(all * link.per_byte));
    const auto copy = static_cast<i64>(std::llround(all * link.overhead_per_byte));
    return {link.latency, link.overhead, link.gap, wire, copy, wire >= copy};
}

CostTable::CostTable(std::vector<std::vector<LinkParameters>> links)
    : links_(std::move(links)), keys_(kEntries), costs_(kEntries * links_.size()) {}

void CostTable::work_out(std::size_t entry, u32 level, u64 bytes) {
    keys_[entry] = {bytes, level, true};
    for (std::size_t i = 0; i < links_.size(); ++i) {
        costs_[entry * links_.size() + i] = costs_of(links_[i][level], bytes);
    }
}

void DelayCosts::add(const Wait& wait, std::span<const PathHistory::Cost> late,
                     std::span<const PathHistory::Cost> waiting) {
    waited_ += wait.time;
    differences_.clear();
    for (const auto& cost : late) differences_[without_rank(cost.key)].late += cost.time;
    for (const auto& cost : waiting) differences_[without_rank(cost.key)].waiting += cost.time;
    double all = 0;
    for (const auto& [key, excess] : differences_) all += excess.more();
    if (all <= 0) return;
    const double scale = static_cast<double>(wait.time) / all;
    for (const auto& cost : late) {
        const Excess& excess = differences_[without_rank(cost.key)];
        if (excess.more() <= 0) continue;
        const double part = static_cast<double>(cost.time) / static_cast<double>(excess.late);
        Shares& shares = shares_[cost.key];
        const bool is_direct = wait.sender == kNone || cost_of(cost).rank == wait.sender;
        (is_direct ? shares.direct : shares.propagated) += scale * excess.more() * part;
    }
}

std::vector<DelayCost> DelayCosts::costs() const {
    std::vector<DelayCost> all;
    for (const auto& [key, shares] : shares_) {
        const PathCost cost = cost_of({key, 0});
        all.push_back({cost.rank, cost.node, cost.kind, shares.direct, shares.propagated});
    }
    return all;
}

}  // namespace tracefold
