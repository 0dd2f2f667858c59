// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <bit>

namespace tracefold {

/// OTF2_Type of the values of attributes and metrics, by its numbers. Smaller numbers stand in the
/// low bits of 64.
enum class ValueType : u8 {
    unsigned8 = 1,
    unsigned16,
    unsigned32,
    unsigned64,
    signed8,
    signed16,
    signed32,
    signed64,
    real32,
    real64,
};

constexpr bool is_signed(ValueType type) {
    return type >= ValueType::signed8 && type <= ValueType::signed64;
}
constexpr bool is_real(ValueType type) {
    return type == ValueType::real32 || type == ValueType::real64;
}

/// Precondition: is_real().
inline double real_value(ValueType type, u64 bits) {
    if (type == ValueType::real64) return std::bit_cast<double>(bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<u32>(bits)));
}

}  // namespace tracefold
