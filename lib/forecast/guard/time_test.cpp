// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/guard/time_test.hpp"

#include "base/mean_value.hpp"
#include "base/rank_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace tracefold {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kPower = 0.9;           ///< of detectable effects
constexpr double kUnderestimated = 0.1;  ///< of standard errors that are lower by chance
constexpr double kFarAbove = 1.5;        ///< of a variance: the quantity is noisier than the others
constexpr double kIntervalLevel = 0.95;  ///< of each end
constexpr double kLeastVariance = 1e-10;  ///< of logarithms: clocks have ticks
/// Few quantities cannot show that their variances are alike.
constexpr double kMostPriorDegrees = 8;
constexpr std::size_t kLeastForPrior = 4;
constexpr std::size_t kLeastRunsForRanks = 8;
constexpr std::size_t kLeastLevel = 5;
constexpr double kChangeLevel = 1e-3;

double t_quantile(double probability, double degrees) {
    return boost::math::quantile(boost::math::students_t(degrees), probability);
}

/// P(T > t)
double t_beyond(double t, double degrees) {
    return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), t));
}

/// Half the degrees of freedom of the prior whose trigamma is `excess`, within bounds.
double half_degrees(double excess) {
    double low = 1e-3;
    double high = kMostPriorDegrees / 2;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        (boost::math::trigamma(middle) > excess ? low : high) = middle;
    }
    return high;
}

VarianceEstimate variance_of(const TimeSample& sample) {
    const auto degrees = static_cast<double>(sample.before.size() + sample.after.size()) - 2;
    const double both = scatter(sample.before) + scatter(sample.after);
    return {degrees > 0 ? std::max(both / degrees, kLeastVariance) : 0, degrees};
}

/// The probability of the most extreme ranks.
double least_rank_probability(const TimeSample& sample) {
    double arrangements = 1;
    for (std::size_t i = 1; i <= sample.after.size(); ++i) {
        arrangements *= static_cast<double>(sample.before.size() + i) / static_cast<double>(i);
    }
    return 1 / arrangements;
}

/// P that so many pairs, or more, have the larger value in `above`.
double rank_probability(const std::vector<double>& below, const std::vector<double>& above) {
    std::size_t pairs = 0;  // against it; ties count against both
    for (const double a : below) {
        for (const double b : above) pairs += b <= a ? 1U : 0U;
    }
    return mann_whitney_distribution(below.size(), above.size())[pairs];
}

void adjust(std::vector<TimeTest>& tests, double TimeTest::*p) {
    std::vector<TimeTest*> order;
    for (TimeTest& test : tests) order.push_back(&test);
    std::ranges::stable_sort(order, {}, [p](const TimeTest* test) { return test->*p; });
    double largest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto left = static_cast<double>(order.size() - i);
        largest = std::max(largest, std::min(left * order[i]->*p, 1.0));
        order[i]->*p = largest;
    }
}

/// The energy distance between the two sides of each split, times their sizes; the best split.
std::size_t best_split(std::span<const double> series) {
    const std::size_t size = series.size();
    double across = 0;
    double left = 0;  // sums of distances within each side
    double right = 0;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = i + 1; k < size; ++k) right += std::abs(series[i] - series[k]);
    }
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t split = 1; split + kLeastLevel <= size; ++split) {
        double to_left = 0;
        double to_right = 0;
        const double moved = series[split - 1];
        for (std::size_t i = 0; i + 1 < split; ++i) to_left += std::abs(series[i] - moved);
        for (std::size_t i = split; i < size; ++i) to_right += std::abs(series[i] - moved);
        left += to_left;
        right -= to_right;
        across += to_right - to_left;
        if (split < kLeastLevel) continue;
        const auto m = static_cast<double>(split);
        const auto n = static_cast<double>(size - split);
        const double energy =
            m * n / (m + n) *
            (2 * across / (m * n) - 2 * left / (m * (m - 1)) - 2 * right / (n * (n - 1)));
        if (energy > highest) {
            highest = energy;
            best = split;
        }
    }
    return best;
}

/// Fills the p-values of one quantity, not yet adjusted, its interval and detectable effect.
TimeTest test_one(const TimeSample& sample, const VarianceEstimate& estimate,
                  const VariancePrior& prior, double level, double floor) {
    TimeTest test;
    test.effect = mean_value(sample.after) - mean_value(sample.before);
    if (estimate.degrees <= 0) {
        test.low = -kUnbounded;
        test.high = test.detectable = kUnbounded;
        return test;
    }
    double degrees = estimate.degrees;
    double variance = estimate.variance;
    const double drawn =
        (degrees * variance + prior.degrees * prior.variance) / (degrees + prior.degrees);
    if (!sample.alone && variance <= kFarAbove * drawn) {
        degrees += prior.degrees;
        variance = std::max(variance, drawn);
    }
    const double error = std::sqrt(variance * (1 / static_cast<double>(sample.before.size()) +
                                               1 / static_cast<double>(sample.after.size())));
    const double reach = t_quantile(kIntervalLevel, degrees) * error;
    test.low = test.effect - reach;
    test.high = test.effect + reach;
    test.p_slower = t_beyond(test.effect / error, degrees);
    test.p_faster = t_beyond(-test.effect / error, degrees);
    const double lowest =
        boost::math::quantile(boost::math::chi_squared(degrees), kUnderestimated) / degrees;
    test.detectable = std::max(t_quantile(1 - level, degrees) * error, floor) +
                      t_quantile(kPower, degrees) * error / std::sqrt(lowest);
    test.by_ranks = sample.before.size() + sample.after.size() >= kLeastRunsForRanks &&
                    least_rank_probability(sample) <= level / 2;
    if (test.by_ranks) {
        test.p_slower = rank_probability(sample.before, sample.after);
        test.p_faster = rank_probability(sample.after, sample.before);
    }
    return test;
}

}  // namespace

double scatter(std::span<const double> values) {
    const double mean = mean_value(values);
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum;
}

double weighted_median(std::span<const double> values, std::span<const double> weights) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    double left = std::accumulate(weights.begin(), weights.end(), 0.0) / 2;
    for (const std::size_t i : order) {
        left -= weights[i];
        if (left <= 0) return values[i];
    }
    return values[order.back()];
}

VariancePrior variance_prior(std::span<const VarianceEstimate> estimates) {
    if (estimates.size() < kLeastForPrior) return {};
    std::vector<double> logs;
    double expected = 0;  // of the scatter of the logarithms, if all variances were one
    for (const VarianceEstimate& estimate : estimates) {
        const double half = estimate.degrees / 2;
        logs.push_back(std::log(estimate.variance) - boost::math::digamma(half) + std::log(half));
        expected += boost::math::trigamma(half) / static_cast<double>(estimates.size());
    }
    const double excess = scatter(logs) / static_cast<double>(estimates.size() - 1) - expected;
    const double half = half_degrees(excess);
    return {2 * half, std::exp(mean_value(logs) + boost::math::digamma(half) - std::log(half))};
}

std::vector<TimeTest> test_times(std::span<const TimeSample> samples, double alpha, double floor) {
    std::vector<VarianceEstimate> estimates;
    for (const TimeSample& sample : samples) estimates.push_back(variance_of(sample));
    std::vector<VarianceEstimate> known;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!samples[i].alone && estimates[i].degrees > 0) known.push_back(estimates[i]);
    }
    const VariancePrior prior = variance_prior(known);
    const double level = alpha / static_cast<double>(samples.size());
    std::vector<TimeTest> tests;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        tests.push_back(test_one(samples[i], estimates[i], prior, level, floor));
    }
    adjust(tests, &TimeTest::p_slower);
    adjust(tests, &TimeTest::p_faster);
    return tests;
}

std::size_t last_level(std::span<const double> series) {
    std::size_t begin = 0;
    while (series.size() - begin >= 2 * kLeastLevel) {
        const std::span<const double> rest = series.subspan(begin);
        const std::size_t split = best_split(rest);
        if (split == 0) break;
        const auto first = rest.first(split);
        const auto second = rest.subspan(split);
        const auto degrees = static_cast<double>(rest.size() - 2);
        const double variance =
            std::max((scatter(first) + scatter(second)) / degrees, kLeastVariance);
        const double error = std::sqrt(variance * (1 / static_cast<double>(first.size()) +
                                                   1 / static_cast<double>(second.size())));
        const double t = std::abs(mean_value(second) - mean_value(first)) / error;
        if (2 * t_beyond(t, degrees) > kChangeLevel) break;
        begin += split;
    }
    return begin;
}

}  // namespace tracefold
