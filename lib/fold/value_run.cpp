// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/value_run.hpp"

#include "core/wide_integer.hpp"

#include <algorithm>

namespace tracefold::inline fold {

u64 ValueRun::sum() const {
    const u64 even = count % 2 == 0 ? count : count - 1;
    const u64 odd = count % 2 == 0 ? count - 1 : count;
    return count == 0 ? 0 : count * start + stride * (even / 2 * odd);
}

std::optional<u64> ValueRun::total(u64 limit) const {
    if (count == 0) return 0;
    if (count > limit || start == 0 || start > limit || last() == 0 || last() > limit) return {};
    // Steps that are no wider than the limit cannot wrap around between two ends within it.
    const u64 step = std::min(stride, ~stride + 1);
    if (count > 1 && step > limit / (count - 1)) return {};
    const u128 sum = u128{count} * (start + last()) / 2;
    if (sum > limit) return {};
    return static_cast<u64>(sum);
}

u64 ValueRun::occurrences(u64 value) const {
    if (stride == 0) return value == start ? count : 0;
    const bool falls = stride >> 63U != 0;
    const u64 distance = falls ? start - value : value - start;
    const u64 step = falls ? ~stride + 1 : stride;
    return distance % step == 0 && distance / step < count ? 1 : 0;
}

}  // namespace tracefold::inline fold
