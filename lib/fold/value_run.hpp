// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <optional>

namespace tracefold::inline fold {

/// `count` numbers: start, start + stride, ...
struct ValueRun {
    u64 start = 0;
    u64 stride = 0;
    u64 count = 0;

    bool operator==(const ValueRun&) const = default;
    [[nodiscard]] u64 last() const { return start + stride * (count - 1); }
    /// The sum of counts: none if one of them is 0 or their sum is above `limit`, which is at most
    /// kMostRecords.
    [[nodiscard]] std::optional<u64> total(u64 limit) const;
    [[nodiscard]] u64 sum() const;
    /// How often a number occurs in the run.
    [[nodiscard]] u64 occurrences(u64 value) const;
};

}  // namespace tracefold::inline fold
