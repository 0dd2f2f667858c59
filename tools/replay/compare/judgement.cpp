// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/judgement.hpp"

#include "base/rank_distribution.hpp"
#include "replay/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// P(W <= w) of Wilcoxon's signed-rank sum for w = 0, 1, ... of pairs without difference.
std::vector<double> signed_rank_distribution(std::size_t pairs) {
    std::vector<double> below(pairs * (pairs + 1) / 2 + 1);
    below[0] = 1;
    for (std::size_t rank = 1; rank <= pairs; ++rank) {
        for (std::size_t w = below.size(); w-- > 0;)
            below[w] = (below[w] + (w >= rank ? below[w - rank] : 0)) / 2;
    }
    std::partial_sum(below.begin(), below.end(), below.begin());
    return below;
}

std::string percent(double ratio) {
    const double value = (ratio - 1) * 100;
    return fmt::format("{:.{}f}", value == 0 ? 0 : value, std::abs(value) < 10 ? 1 : 0);
}

/// `probability(k)`: that at most k of the estimates are below the true ratio.
Judgement judgement_of(std::vector<double> estimates, double margin, const auto& probability) {
    std::ranges::sort(estimates);
    std::size_t outside = 0;  // estimates below the interval, and as many above
    while (2 * (outside + 1) < estimates.size() && 2 * probability(outside + 1) <= 1 - kConfidence)
        ++outside;
    Judgement judgement;
    judgement.ratio = median_of(estimates);
    judgement.low = estimates[outside];
    judgement.high = estimates[estimates.size() - 1 - outside];
    judgement.confidence = std::max(0.0, 1 - 2 * probability(outside));
    judgement.different = judgement.confidence >= kConfidence &&
                          (judgement.low > 1 + margin || judgement.high < 1 / (1 + margin));
    return judgement;
}

}  // namespace

Judgement judge(std::span<const double> first, std::span<const double> other, double margin) {
    std::vector<double> ratios;
    for (const double a : first) {
        for (const double b : other) ratios.push_back(b / a);
    }
    const std::vector<double> below = mann_whitney_distribution(first.size(), other.size());
    return judgement_of(std::move(ratios), margin, [&below](std::size_t u) { return below[u]; });
}

Judgement judge_pairs(std::span<const double> first, std::span<const double> other) {
    std::vector<double> means;
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            means.push_back(std::sqrt(other[i] / first[i] * (other[j] / first[j])));
    }
    const std::vector<double> below = signed_rank_distribution(first.size());
    return judgement_of(std::move(means), 0, [&below](std::size_t w) { return below[w]; });
}

std::string Judgement::words() const {
    if (different)
        return fmt::format("different by {} % ({} to {})", percent(ratio), percent(low),
                           percent(high));
    std::string text = fmt::format("not distinguishable ({} to {} %", percent(low), percent(high));
    if (confidence < kConfidence)
        text += fmt::format(", of only {:.0f} % confidence", std::floor(confidence * 100));
    return text + ")";
}

std::vector<std::size_t> outliers(std::span<const double> times) {
    constexpr double kFar = 3.5 / 0.6745;
    const double middle = median_of({times.begin(), times.end()});
    std::vector<double> distances;
    for (const double time : times) distances.push_back(std::abs(time - middle));
    const double far = std::max(kFar * median_of(distances), kLaunchMargin * middle);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (distances[i] > far) found.push_back(i);
    }
    return found;
}

}  // namespace tracefold
