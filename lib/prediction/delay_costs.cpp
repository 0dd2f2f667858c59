// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/delay_costs.hpp"

namespace tracefold {

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
