// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/event_table.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

// Marks between records in OTF2 files. A finished file ends with both end marks.
inline constexpr u8 kEndOfChunk = 0x00;  ///< zeros follow up to the end of the chunk
inline constexpr u8 kEndOfBuffer = 0x01;
inline constexpr u8 kEndOfFile = 0x02;  ///< libotf2 stops reading here
inline constexpr u8 kChunkHeaderMark = 0x03;
inline constexpr u8 kTimestampMark = 0x05;      ///< with the time of the following records
inline constexpr u8 kAttributeListMark = 0x06;  ///< for the following record

inline constexpr u64 kTimestampSize = 9;    ///< mark and ticks
inline constexpr u8 kLongLength = 0xFF;     ///< an eight-byte length follows
inline constexpr u8 kUndefinedSize = 0xFF;  ///< a number with all bits set; no bytes follow

/// The single-number records of OTF2 1.0 have no record length: only the number has a size.
constexpr bool is_number_event(EventType type) {
    switch (type) {
        case EventType::Enter:
        case EventType::Leave:
        case EventType::MpiIsendComplete:
        case EventType::MpiIrecvRequest:
        case EventType::MpiRequestTest:
        case EventType::MpiRequestCancelled:
        case EventType::OmpFork:
        case EventType::OmpTaskCreate:
        case EventType::OmpTaskSwitch:
        case EventType::OmpTaskComplete:
            return true;
        default:
            return false;
    }
}

/// libotf2's limits of the chunk size.
inline constexpr u64 kSmallestChunk = u64{256} << 10;
inline constexpr u64 kLargestChunk = u64{16} << 20;

/// The header of a chunk in an event or definition file: mark, byte order, two numbers.
struct ChunkHeader {
    static constexpr std::size_t kSize = 18;
    static constexpr std::size_t kLastEventAt = 10;
    static constexpr u8 kLittleEndian = 'B';
    static constexpr u8 kBigEndian = '#';

    bool little_endian = true;
    u64 first_event = 0;  ///< number of its first event, from 1; 1 in definition files
    u64 last_event = 0;   ///< 0 in definition files and in unfinished chunks
};

/// Decodes a number of `size` (<= 8) bytes.
inline u64 raw_number(const u8* bytes, std::size_t size, bool little_endian) {
    u64 number = 0;
    for (std::size_t i = 0; i < size; ++i) {
        number = number << 8 | bytes[little_endian ? size - 1 - i : i];
    }
    return number;
}

/// Encodes a number in eight bytes.
inline std::string number_bytes(u64 number, bool little_endian) {
    std::string bytes;
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned shift = 8 * (little_endian ? i : 7 - i);
        bytes += static_cast<char>(number >> shift & 0xFFU);
    }
    return bytes;
}

/// Parses the chunk header at the start of `bytes`; nothing if there is none.
inline std::optional<ChunkHeader> parse_chunk_header(std::span<const u8> bytes) {
    if (bytes.size() < ChunkHeader::kSize || bytes[0] != kChunkHeaderMark) return {};
    if (bytes[1] != ChunkHeader::kLittleEndian && bytes[1] != ChunkHeader::kBigEndian) return {};
    ChunkHeader header;
    header.little_endian = bytes[1] == ChunkHeader::kLittleEndian;
    header.first_event = raw_number(&bytes[2], 8, header.little_endian);
    header.last_event = raw_number(&bytes[ChunkHeader::kLastEventAt], 8, header.little_endian);
    return header;
}

/// Converts a scalar argument of libotf2's record functions to 64 bits: signed numbers
/// sign-extended, doubles and metric values as their bits.
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

/// The width in bits of a value of the given OTF2_Type. libotf2 treats unknown types as 64 bits.
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

/// The bits of a value of the given OTF2_Type. libotf2 sets only the bytes of the type; the others
/// are cleared, so equal values have equal bits.
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

/// The inverse of attribute_bits(): places a narrow value where libotf2 reads it in any byte order.
/// Bits beyond the type are kept where they do not matter.
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

// Decoders of record fields in native byte order. The caller pads a chunk with enough readable
// bytes that no field needs a bounds check.

inline bool is_native(const ChunkHeader& header) {
    return header.little_endian == (std::endian::native == std::endian::little);
}

inline u64 load(const u8* at) {
    u64 bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    return bits;
}

/// Masks for the first `size` bytes.
inline constexpr auto kBitsOf = [] {
    std::array<u64, 9> bits{};
    for (std::size_t size = 1; size < bits.size(); ++size) bits[size] = bits[size - 1] << 8 | 0xFF;
    return bits;
}();

/// A number of eight bytes, such as a time.
struct WholeNumber {};

// Each decodes a field of type T and returns its end, null if libotf2 refuses the field.

/// A number of at most `most` bytes.
inline const u8* take_number(std::size_t most, const u8* at, u64& value) {
    const u8 size = *at++;
    if (size <= most) [[likely]] {
        value = load(at) & kBitsOf[size];
        return at + size;
    }
    value = kBitsOf[most];
    return size == kUndefinedSize ? at : nullptr;
}

template <class T>
const u8* take(const u8* at, u64& value) {
    if constexpr (std::is_same_v<T, WholeNumber>) {
        value = load(at);
        return at + sizeof(u64);
    } else if constexpr (sizeof(T) == 1) {
        value = to_u64(static_cast<T>(*at));
        return at + 1;
    } else {
        at = take_number(sizeof(T), at, value);
        value = to_u64(static_cast<T>(value));
        return at;
    }
}

template <class... Fields>
[[gnu::flatten]] const u8* take_fields(const u8* at, [[maybe_unused]] u64* values) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        ((at = at == nullptr ? nullptr : take<Fields>(at, values[kIndex])), ...);
    }
    (std::index_sequence_for<Fields...>{});
    return at;
}

/// The part of a record after its length.
struct Body {
    const u8* begin;
    const u8* end;  ///< null if the record exceeds the chunk
};

inline Body body_at(const u8* at, const u8* end_of_chunk) {
    u64 length = *at++;
    if (length == kLongLength) {
        length = load(at);
        at += sizeof(u64);
    }
    if (at >= end_of_chunk || length >= static_cast<u64>(end_of_chunk - at)) return {at, nullptr};
    return {at, at + length};
}

}  // namespace tracefold::otf2
