// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "core/wide_integer.hpp"

namespace tracefold {

/// A sum of bytes that needs more than 64 bits, and what any sum with it is. Outputs name it
/// instead of printing a number.
inline constexpr u64 kOverflow = ~u64{0};

constexpr u64 saturated(u128 number) {
    return number < kOverflow ? static_cast<u64>(number) : kOverflow;
}

constexpr void add_saturated(u64& sum, u64 number) {
    if (__builtin_add_overflow(sum, number, &sum)) sum = kOverflow;
}

}  // namespace tracefold
