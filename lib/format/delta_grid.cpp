// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/delta_grid.hpp"

#include <algorithm>

namespace tracefold {

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
