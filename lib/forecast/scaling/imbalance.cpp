// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/imbalance.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

using Rule = Imbalance::Rule;

constexpr u32 kMostParts = 16;
constexpr u32 kMostFromEnd = 8;
constexpr double kBalanced = 0.02;  ///< standard deviation of factors that are taken as equal
constexpr double kExplained = 0.5;  ///< least share of the variance
constexpr double kBetter = 0.02;    ///< by which a later rule has to explain more

std::size_t index_of(const Imbalance& law, const RankGrid& grid, u32 rank) {
    const std::size_t parts = law.factors.size();
    const auto ranks = static_cast<u32>(grid.participants());
    switch (law.rule) {
        case Rule::none:
            return 0;
        case Rule::modulo:
            return rank % parts;
        case Rule::position: {
            const u64 size = grid.sizes()[law.dimension];
            return (2 * grid.coordinate(law.dimension, rank) + 1) * parts / (2 * size);
        }
        case Rule::first:
            return std::min<std::size_t>(rank, parts - 1);
        case Rule::last:
            return std::min<std::size_t>(ranks - 1 - rank, parts - 1);
    }
    return 0;
}

/// With the mean of the run's factors at each index; 1 where it has none.
Imbalance with_means(Rule rule, u32 dimension, std::size_t parts, const RankFactors& run) {
    Imbalance law{rule, dimension, std::vector<double>(parts, 0)};
    std::vector<u32> counts(parts, 0);
    for (const RankFactors::Factor& factor : run.of) {
        const std::size_t index = index_of(law, *run.grid, factor.rank);
        law.factors[index] += factor.value;
        ++counts[index];
    }
    for (std::size_t i = 0; i < parts; ++i) {
        law.factors[i] = counts[i] == 0 ? 1 : law.factors[i] / counts[i];
    }
    return law;
}

double variance(const Imbalance& law, const RankFactors& run) {
    double sum = 0;
    for (const RankFactors::Factor& factor : run.of) {
        const double rest = factor.value - law.factors[index_of(law, *run.grid, factor.rank)];
        sum += rest * rest;
    }
    return sum / static_cast<double>(run.of.size());
}

/// Passes each rule with its number of factors in a run; the simplest first. `ranks`: least number
/// of ranks of a run.
template <class Sink>
void each_rule(const RankGrid& grid, u64 ranks, const Sink& sink) {
    for (u32 parts = 2; parts <= std::min<u64>(kMostParts, ranks / 2); ++parts) {
        sink(Rule::modulo, 0U, parts);
    }
    sink(Rule::first, 0U, kMostFromEnd);
    sink(Rule::last, 0U, kMostFromEnd);
    for (u32 d = 0; d < grid.dimensions(); ++d) sink(Rule::position, d, grid.sizes()[d]);
}

}  // namespace

double evaluate(const Imbalance& imbalance, const RankGrid& grid, u32 rank) {
    // Neighbours are far apart in the order, by the golden ratio; the pattern repeats, so that
    // folded files do not grow with the ranks.
    const std::size_t index = index_of(imbalance, grid, rank);
    const std::vector<double>& rest = imbalance.rest[index];
    const u64 parts = rest.size();
    u64 step = std::max<u64>(parts * 618 / 1000, 1);
    while (std::gcd(step, parts) != 1) ++step;
    const u64 number = imbalance.rule == Rule::modulo ? rank / imbalance.factors.size() : rank;
    return imbalance.factors[index] * rest[number * step % parts];
}

Imbalance fit_imbalance(const RankFactors& smaller, const RankFactors& larger) {
    if (larger.of.empty()) return {};
    const double whole = variance({}, larger);
    if (whole < kBalanced * kBalanced) return {};
    Imbalance best;
    double explained = kExplained - kBetter;
    const auto attempt = [&](Rule rule, u32 dimension, u32 parts) {
        const u32 known = rule == Rule::position ? smaller.grid->sizes()[dimension] : parts;
        const Imbalance law = with_means(rule, dimension, known, smaller);
        const double share = 1 - variance(law, larger) / whole;
        if (share < explained + kBetter) return;
        explained = share;
        best = with_means(rule, dimension, parts, larger);
    };
    if (!smaller.of.empty()) each_rule(*larger.grid, smaller.of.size(), attempt);
    best.rest.assign(best.factors.size(), {});
    for (const RankFactors::Factor& factor : larger.of) {
        const std::size_t index = index_of(best, *larger.grid, factor.rank);
        const double of_rule = best.factors[index];
        best.rest[index].push_back(of_rule > 0 ? factor.value / of_rule : 1);
    }
    for (std::vector<double>& rest : best.rest) {
        if (rest.empty()) rest = {1};
        std::ranges::sort(rest);
    }
    return best;
}

}  // namespace tracefold
