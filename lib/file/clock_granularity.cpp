// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/clock_granularity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t kSample = 256;
constexpr std::size_t kEnough = 32;

/// Returns the most frequent value, the smallest one if ambiguous.
u64 most_frequent(std::vector<u64> values) {
    std::sort(values.begin(), values.end());
    u64 best = 0;
    std::ptrdiff_t most = 0;
    for (auto first = values.begin(); first != values.end();) {
        const auto last = std::upper_bound(first, values.end(), *first);
        if (last - first > most) {
            most = last - first;
            best = *first;
        }
        first = last;
    }
    return best;
}

}  // namespace

u64 clock_granularity(std::span<const u64> ticks) {
    std::vector<u64> sample;
    // Skips the first difference, the clock's start value: it may not be a multiple.
    for (std::size_t i = 1; i < ticks.size() && sample.size() < kSample; ++i) {
        if (ticks[i] != 0) sample.push_back(ticks[i]);
    }
    if (sample.size() < kEnough) return 1;
    std::vector<u64> divisors;
    for (std::size_t i = 1; i < sample.size(); ++i) {
        divisors.push_back(std::gcd(sample[i - 1], sample[i]));
    }
    const u64 best = most_frequent(std::move(divisors));
    const auto multiples = std::count_if(sample.begin(), sample.end(),
                                         [best](u64 count) { return count % best == 0; });
    return 20 * static_cast<std::size_t>(multiples) >= 19 * sample.size() ? best : 1;
}

namespace {

constexpr u64 kMillion = 1'000'000;
constexpr u64 kLargest = u64{1} << 62U;

/// floor(value * ppm / 10^6) without overflow. Precondition: ppm <= 10^6.
constexpr u64 share(u64 value, u64 ppm) {
    return value / kMillion * ppm + value % kMillion * ppm / kMillion;
}

}  // namespace

u64 DeltaPrecision::tolerance(u64 ticks) const {
    return std::max(share(ticks, error_ppm), clock_step);
}

DeltaGrid::DeltaGrid(DeltaPrecision precision) : precision_(precision) {
    const u64 step = precision.clock_step;
    for (u64 value = 0; value <= kLargest;) {
        values_.push_back(value);
        const u64 gap = share(value, precision.error_ppm);
        value += std::max(step, gap - gap % step);
    }
}

std::size_t DeltaGrid::index_of(u64 ticks, u64 wanted) const {
    const u64 slack = precision_.tolerance(ticks);
    const u64 lowest = ticks - std::min(ticks, slack);
    const u64 highest = ticks + slack;
    const u64 goal = std::clamp(wanted, lowest, highest);
    const auto above = std::lower_bound(values_.begin(), values_.end(), goal);
    if (above == values_.begin()) return 0;
    const auto below = above - 1;
    const bool take_above = above != values_.end() && *above <= highest &&
                            (*below < lowest || *above - goal < goal - *below);
    return static_cast<std::size_t>((take_above ? above : below) - values_.begin());
}

}  // namespace tracefold
