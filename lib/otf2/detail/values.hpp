// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <bit>
#include <type_traits>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

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

/// How many bits a value of the given OTF2_Type has. libotf2 takes unknown types for 64 bits.
inline int attribute_width(OTF2_Type type) {
    switch (type) {
        case OTF2_TYPE_UINT8:
        case OTF2_TYPE_INT8:
            return 8;
        case OTF2_TYPE_UINT16:
        case OTF2_TYPE_INT16:
            return 16;
        case OTF2_TYPE_NONE:
        case OTF2_TYPE_UINT64:
        case OTF2_TYPE_INT64:
        case OTF2_TYPE_DOUBLE:
        case OTF2_TYPE_LOCATION:
            return 64;
        default:
            return type <= OTF2_TYPE_LOCATION_GROUP ? 32 : 64;
    }
}

/// The bits of a value of the given OTF2_Type. libotf2 sets only the bytes that the type has; the
/// others are cleared, so that equal values have equal bits.
inline u64 attribute_bits(OTF2_Type type, const OTF2_AttributeValue& value) {
    switch (attribute_width(type)) {
        case 8:
            return value.uint8;
        case 16:
            return value.uint16;
        case 32:
            return value.uint32;
        default:
            return value.uint64;
    }
}

/// The inverse, in which a narrow value stands where libotf2 looks for it in any byte order. Bits
/// that the type does not have are kept where they do not matter.
inline OTF2_AttributeValue attribute_value(OTF2_Type type, u64 bits) {
    OTF2_AttributeValue value;
    value.uint64 = bits;
    switch (attribute_width(type)) {
        case 8:
            value.uint8 = static_cast<u8>(bits);
            break;
        case 16:
            value.uint16 = static_cast<u16>(bits);
            break;
        case 32:
            value.uint32 = static_cast<u32>(bits);
            break;
        default:
            break;
    }
    return value;
}

}  // namespace tracefold::otf2
