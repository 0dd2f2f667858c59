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

/// The fewest pairs whose interval can have kConfidence.
inline constexpr std::size_t kLeastPairs = 6;

/// How much longer one machine takes than another, from repetitions of both.
struct Judgement {
    double ratio = 1;  ///< Hodges-Lehmann: the median of the estimates
    double low = 1;    ///< ends of the interval: order statistics of the estimates
    double high = 1;
    double confidence = 0;   ///< of the interval, by the distribution of the ranks
    bool different = false;  ///< confidence is enough, and the interval is beyond the margin

    /// "different by 18 % (14 to 22)", "not distinguishable (-3 to 4 %)".
    [[nodiscard]] std::string words() const;
};

/// By all ratios of two repetitions, and the distribution of Mann and Whitney: the narrowest
/// interval of at least kConfidence; the widest one if no interval has it. Assumes that repetitions
/// are independent. Precondition: positive times, at least one each. Cost: the
/// product of their numbers, logarithm included.
Judgement judge(std::span<const double> first, std::span<const double> other, double margin);

/// The same of pairs that were measured one after the other, so that both met the same state of the
/// machine: by the geometric means of the ratios of any two pairs, and the distribution of
/// Wilcoxon's signed-rank sum. Precondition: positive times, as many of both, at least one. Cost:
/// the third power of their number.
Judgement judge_pairs(std::span<const double> first, std::span<const double> other);

/// Repetitions far from the others: |x - median| > 5.2 median absolute deviations (a modified
/// z-score of 3.5), and more than kLaunchMargin of the median. Indices.
std::vector<std::size_t> outliers(std::span<const double> times);

}  // namespace tracefold
