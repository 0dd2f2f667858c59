// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/column_period.hpp"

#include "analysis/repeating_stretch.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

constexpr u64 kMostNumbers = u64{1} << 20U;
/// What repeats for less numbers than this is not left out.
constexpr u64 kWorthwhile = u64{1} << 8U;

/// The next numbers of a column, some of its periods left out.
struct Shortened {
    std::vector<u64> numbers;
    u64 left_out = 0;  ///< divides all periods of which some are left out
    bool whole = false;
};

/// Takes at most `most` numbers of the present run; returns how many.
u64 take(PeriodicCursor& cursor, u64 most, std::vector<u64>& numbers) {
    const ValueRun run = cursor.run();
    const u64 count = std::min({most, run.count, kMostNumbers});
    for (u64 i = 0; i < count; ++i) numbers.push_back(run.start + i * run.stride);
    cursor.advance(count);
    return count;
}

Shortened shortened(PeriodicCursor cursor, u64 size) {
    Shortened shortened;
    while (size > 0 && shortened.numbers.size() < kMostNumbers) {
        for (std::size_t level = 0; level < cursor.levels(); ++level) {
            const Period period = cursor.period(level);
            if (period.length == 0 || period.length > kMostNumbers) continue;
            const u64 periods = (std::min(period.left, size) - 1) / period.length;
            if (periods < 4 || periods * period.length < kWorthwhile) continue;
            shortened.left_out = std::gcd(shortened.left_out, period.length);
            cursor.skip(level, (periods - 2) * period.length);
            size -= (periods - 2) * period.length;
            break;
        }
        size -= take(cursor, size, shortened.numbers);
    }
    shortened.whole = size == 0;
    return shortened;
}

std::vector<u64> next_numbers(PeriodicCursor cursor, u64 size) {
    std::vector<u64> numbers;
    while (size > 0) size -= take(cursor, size, numbers);
    return numbers;
}

}  // namespace

/// Where the period divides those that were left out, these change nothing; else all are looked at.
u64 column_period(const PeriodicCursor& cursor, u64 size) {
    const Shortened some = shortened(cursor, size);
    if (!some.whole) return 0;
    const u64 period = shortest_period(some.numbers);
    if (some.left_out % period == 0) return period;
    return size > kMostNumbers ? 0 : shortest_period(next_numbers(cursor, size));
}

}  // namespace tracefold
