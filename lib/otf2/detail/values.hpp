// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include <otf2/otf2.h>

namespace tracefold::otf2_detail {

/// Any scalar argument of libotf2's record functions as 64 bits: signed numbers sign-extended,
/// doubles and metric values as their bits.
template <class T>
u64 to_u64(T value) {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return static_cast<u64>(static_cast<i64>(value));
    } else if constexpr (std::is_integral_v<T>) {
        return value;
    } else {
        static_assert(sizeof(T) == sizeof(u64) && !std::is_pointer_v<T>);
        return std::bit_cast<u64>(value);
    }
}

/// The inverse of to_u64. Precondition: fits<T>(bits).
template <class T>
T from_u64(u64 bits) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(bits);
    } else {
        return std::bit_cast<T>(bits);
    }
}

template <class T>
bool fits(u64 bits) {
    return to_u64(from_u64<T>(bits)) == bits;
}

/// The bits of a value of the given OTF2_Type. libotf2 sets only the bytes that the type has; the
/// others are cleared, so that equal values have equal bits.
inline u64 attribute_bits(OTF2_Type type, const OTF2_AttributeValue& value) {
    switch (type) {
        case OTF2_TYPE_UINT8:
        case OTF2_TYPE_INT8:
            return value.uint8;
        case OTF2_TYPE_UINT16:
        case OTF2_TYPE_INT16:
            return value.uint16;
        case OTF2_TYPE_NONE:
        case OTF2_TYPE_UINT64:
        case OTF2_TYPE_INT64:
        case OTF2_TYPE_DOUBLE:
        case OTF2_TYPE_LOCATION:
            return value.uint64;
        default:
            // All other known types are 32 bits wide; libotf2 takes unknown ones for 64 bits.
            return type <= OTF2_TYPE_LOCATION_GROUP ? value.uint32 : value.uint64;
    }
}

}  // namespace tracefold::otf2_detail
