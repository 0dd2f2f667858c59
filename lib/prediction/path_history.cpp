// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/path_history.hpp"

#include <algorithm>

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

/// What comes before a step has a smaller number.
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
    // What is before a step has a smaller number, and the beginning none.
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

}  // namespace tracefold
