// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tracefold {

/// Logarithms of one quantity in runs before and after a change.
struct TimeSample {
    std::vector<double> before;
    std::vector<double> after;
    bool alone = false;  ///< its variance has nothing to do with those of the others
};

/// By how much one quantity changed. Effects are differences of logarithms.
struct TimeTest {
    double effect = 0;
    double low = 0;  ///< ends of the two-sided 90 % interval
    double high = 0;
    double p_slower = 1;  ///< one-sided, adjusted over all quantities (Holm)
    double p_faster = 1;
    double detectable = 0;  ///< the slow-down that is found in 90 % of the cases; may be infinite
    bool by_ranks = false;  ///< a rank test instead of a t-test
};

/// Tests all quantities together, with an error of `alpha` that any of them is falsely found
/// slower; changes below `floor` are not found. With enough runs for the level of each quantity, at
/// least 8 of them, by the ranks (Mann, Whitney), which suppose no distribution. Otherwise by
/// moderated t-tests: the variance of a quantity is drawn upwards to those of the others by an
/// empirical prior (Smyth: Stat. Appl. Genet. Mol. Biol. 3, 2004), unless it is far above it.
/// Without repetition of one side at least, nothing is found. Precondition: every sample has a
/// value on both sides. Cost: the product of the numbers of runs, per quantity.
std::vector<TimeTest> test_times(std::span<const TimeSample> samples, double alpha, double floor);

/// Inverse gamma distribution of variances, as degrees of freedom and a common value.
struct VariancePrior {
    double degrees = 0;  ///< 0: the variances have nothing in common
    double variance = 0;
};

/// A variance, estimated with so many degrees of freedom.
struct VarianceEstimate {
    double variance = 0;
    double degrees = 0;
};

/// Smyth's estimate by moments of the logarithms. Precondition: positive degrees and variances.
VariancePrior variance_prior(std::span<const VarianceEstimate> estimates);

/// Where the last level of a series begins; 0: there is one level. Levels have at least five
/// values. Finds change points by energy statistics and accepts them by a t-test at 0.1 %
/// (E-divisive means: Matteson, James: JASA 109, 2014; with t-tests: Fleming, Kolodziej et al.:
/// ICPE 2023), so the result is deterministic. Cost: the square of the length per change point.
std::size_t last_level(std::span<const double> series);

/// Sum of squared distances from the mean.
double scatter(std::span<const double> values);
/// The value at which half of the weights is reached. Precondition: not empty.
double weighted_median(std::span<const double> values, std::span<const double> weights);

}  // namespace tracefold
