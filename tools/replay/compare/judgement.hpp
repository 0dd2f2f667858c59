// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// The confidence of an interval that allows a verdict.
inline constexpr double kConfidence = 0.95;
/// By how much launches of one machine may differ, where each machine has a single one: its
/// repetitions cannot show it.
inline constexpr double kLaunchMargin = 0.05;

/// The part of the time of waiting for processors that other programs had, from which on the
/// repetitions of one launch say nothing about another one.
inline constexpr double kDisturbed = 0.01;

/// How much longer one machine takes than another, from repetitions of both.
struct Judgement {
    double ratio = 1;  ///< Hodges-Lehmann: the median of all ratios of two repetitions
    double low = 1;    ///< ends of the interval: order statistics of these ratios
    double high = 1;
    double confidence = 0;   ///< of the interval, by the distribution of Mann and Whitney
    bool different = false;  ///< confidence is enough, and the interval is beyond the margin

    /// "different by 18 % (14 to 22)", "not distinguishable (-3 to 4 %)".
    [[nodiscard]] std::string words() const;
};

/// The narrowest interval of at least kConfidence; the widest one if no interval has it. Assumes
/// that repetitions are independent. Precondition: positive times, at least one each. Cost: the
/// product of their numbers, logarithm included.
Judgement judge(std::span<const double> first, std::span<const double> other, double margin);

/// Repetitions far from the others: |x - median| > 5.2 median absolute deviations (a modified
/// z-score of 3.5), and more than kLaunchMargin of the median. Indices.
std::vector<std::size_t> outliers(std::span<const double> times);

}  // namespace tracefold
