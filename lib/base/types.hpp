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

/// "No such thing" for 32-bit indices.
inline constexpr u32 kNone = 0xFFFFFFFFU;

/// For products and sums of 64-bit numbers that must not wrap around.
__extension__ using u128 = unsigned __int128;

}  // namespace tracefold

/// Marks the interface of the library, which other programs may rely on
/// (docs/reference/library.md). All else is hidden in the shared library.
#define TRACEFOLD_API __attribute__((visibility("default")))

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
