// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/rank_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tracefold {

namespace {

constexpr std::size_t kLargestExact = 30;

std::vector<double> normal_distribution(double first, double other) {
    const double deviation = std::sqrt(first * other * (first + other + 1) / 12);
    std::vector<double> below;
    for (double u = 0; u <= first * other; ++u) {
        below.push_back(std::erfc((first * other / 2 - u - 0.5) / deviation / std::numbers::sqrt2) /
                        2);
    }
    return below;
}

}  // namespace

std::vector<double> mann_whitney_distribution(std::size_t first, std::size_t other) {
    if (std::max(first, other) > kLargestExact)
        return normal_distribution(static_cast<double>(first), static_cast<double>(other));
    // Arrangements by U of the i-th sample pair: each value of `other` is above j values of
    // `first`.
    const std::size_t size = first * other + 1;
    std::vector<std::vector<double>> counts(first + 1, std::vector<double>(size));
    for (auto& row : counts) row[0] = 1;
    for (std::size_t n = 1; n <= other; ++n) {
        for (std::size_t m = 1; m <= first; ++m) {
            // The largest value is of `first`, or of `other` and then above m values.
            std::vector<double>& row = counts[m];
            for (std::size_t u = size; u-- > 0;)
                row[u] = counts[m - 1][u] + (u >= m ? row[u - m] : 0);
        }
    }
    std::vector<double> below;
    double sum = 0;
    for (const double count : counts[first]) below.push_back(sum += count);
    for (double& value : below) value /= sum;
    return below;
}

}  // namespace tracefold
