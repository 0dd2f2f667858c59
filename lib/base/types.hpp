// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tracefold {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

/// The invalid 32-bit index.
inline constexpr u32 kNone = 0xFFFFFFFFU;

/// For products and sums of 64-bit numbers without overflow.
__extension__ using u128 = unsigned __int128;

}  // namespace tracefold

/// Marks the public interface of the library (docs/reference/library.md); all other symbols are
/// hidden.
#define TRACEFOLD_API __attribute__((visibility("default")))

namespace tracefold {

/// Saturated byte count: a sum beyond 64 bits, and any sum that includes one.
inline constexpr u64 kOverflow = ~u64{0};

constexpr u64 saturated(u128 number) {
    return number < kOverflow ? static_cast<u64>(number) : kOverflow;
}

constexpr void add_saturated(u64& sum, u64 number) {
    if (__builtin_add_overflow(sum, number, &sum)) sum = kOverflow;
}

}  // namespace tracefold
