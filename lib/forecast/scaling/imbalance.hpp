// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/rank_grid.hpp"

#include <vector>

namespace tracefold {

/// How a time differs between similar ranks: a factor of their mean.
struct Imbalance {
    /// What the factor of a rank depends on.
    enum class Rule : u8 {
        none,
        modulo,    ///< the rank modulo the number of factors
        position,  ///< the coordinate in dimension `dimension`, as a part of its size
        first,     ///< the distance from the first rank; all beyond the factors are alike
        last,      ///< the distance from the last rank, likewise
    };

    Rule rule = Rule::none;
    u32 dimension = 0;
    std::vector<double> factors = {1};
    /// What the rule leaves: quotients of the factors of ranks and of the rule, ascending, by place
    /// in `factors`. Ranks take them evenly, in an order that repeats.
    std::vector<std::vector<double>> rest = {{1}};
};

/// The factors of some ranks of a run; their mean is 1.
struct RankFactors {
    struct Factor {
        u32 rank = 0;
        double value = 1;
    };
    const RankGrid* grid = nullptr;
    std::vector<Factor> of;  ///< by ascending rank
};

/// The rule under which the factors of a run predict those of a larger run best, if they predict
/// at least half of their variance. Without ranks in the smaller run: no rule. Cost: the ranks
/// times the rules.
Imbalance fit_imbalance(const RankFactors& smaller, const RankFactors& larger);

/// Precondition: the grid has as many dimensions as those of the fit.
double evaluate(const Imbalance& imbalance, const RankGrid& grid, u32 rank);

}  // namespace tracefold
