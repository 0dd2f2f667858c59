// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/symbol.hpp"

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

/// The OTF2 record number of a definition type in files of that stream; 0 if it has none there.
/// Numbers of types that only one kind of file has begin at 5, common ones at 10.
constexpr u8 definition_number(Stream stream, u8 type) {
    constexpr u8 kFirstOwn = 5;
    constexpr u8 kFirstCommon = 10;
    constexpr u8 kCommon = static_cast<u8>(DefinitionType::String);
    constexpr u8 kLocal = static_cast<u8>(DefinitionType::MappingTable);
    if (type >= kDefinitionTypes) return 0;
    if (type >= kCommon && type < kLocal) return static_cast<u8>(kFirstCommon + type - kCommon);
    const bool local = type >= kLocal;
    if (local != (stream == Stream::local_definitions)) return 0;
    return static_cast<u8>(kFirstOwn + type - (local ? kLocal : 0));
}

// Decoders and encoders of record fields in native byte order. The caller pads a chunk with enough
// bytes that no field needs a bounds check.

inline bool is_native(const ChunkHeader& header) {
    return header.little_endian == (std::endian::native == std::endian::little);
}

inline u64 load(const u8* at) {
    u64 bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    return bits;
}

inline u8* store(u64 bits, u8* at) {
    std::memcpy(at, &bits, sizeof(bits));
    return at + sizeof(bits);
}

/// Masks for the first `size` bytes.
inline constexpr auto kBitsOf = [] {
    std::array<u64, 9> bits{};
    for (std::size_t size = 1; size < bits.size(); ++size) bits[size] = bits[size - 1] << 8 | 0xFF;
    return bits;
}();

/// Decodes a number of `size` bytes, up to 8.
inline u64 load_number(const u8* at, std::size_t size) {
    if constexpr (std::endian::native == std::endian::little) return load(at) & kBitsOf[size];
    return raw_number(at, size, false);
}

/// Encodes a number in `size` bytes, up to 8, and overwrites the rest of eight.
inline u8* store_number(u64 number, std::size_t size, u8* at) {
    if constexpr (std::endian::native == std::endian::big) {
        number = size == 0 ? 0 : number << (64 - 8 * size);
    }
    store(number, at);
    return at + size;
}

/// The largest number of bytes of a field of fixed width.
constexpr u64 largest_size(Width width) {
    switch (width) {
        case Width::byte:
            return 1;
        case Width::packed32:
            return 1 + sizeof(u32);
        case Width::plain64:
            return sizeof(u64);
        default:
            return 1 + sizeof(u64);
    }
}

constexpr u64 value_bits(Width width) {
    if (width == Width::byte) return kBitsOf[1];
    return width == Width::packed32 ? kBitsOf[4] : kBitsOf[8];
}

/// The value that OTF2 calls undefined, a size without bytes. Signed numbers have none.
constexpr bool is_undefined(Width width, u64 value) {
    return value == value_bits(width) && width != Width::packed_signed64;
}

/// Number of bytes of a packed number without leading zeros.
constexpr std::size_t significant_bytes(u64 value) {
    return static_cast<std::size_t>(std::bit_width(value) + 7) / 8;
}

/// Decodes a number of at most `most` bytes and returns its end, null if libotf2 refuses it.
inline const u8* take_number(std::size_t most, const u8* at, u64& value) {
    const u8 size = *at++;
    if (size <= most) [[likely]] {
        value = load_number(at, size);
        return at + size;
    }
    value = kBitsOf[most];
    return size == kUndefinedSize ? at : nullptr;
}

/// Decodes a field and returns its end, null if libotf2 refuses it.
template <Width kWidth>
const u8* take(const u8* at, u64& value) {
    if constexpr (kWidth == Width::byte) {
        value = *at;
        return at + 1;
    } else if constexpr (kWidth == Width::plain64) {
        value = load(at);
        return at + sizeof(u64);
    } else {
        return take_number(largest_size(kWidth) - 1, at, value);
    }
}

template <Width... kWidths>
[[gnu::flatten]] const u8* take_fields(const u8* at, [[maybe_unused]] u64* values) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        ((at = at == nullptr ? nullptr : take<kWidths>(at, values[kIndex])), ...);
    }
    (std::make_index_sequence<sizeof...(kWidths)>{});
    return at;
}

/// Encodes a field and returns its end. Precondition: the value has no bits but value_bits().
template <Width kWidth>
u8* put(u64 value, u8* at) {
    if constexpr (kWidth == Width::byte) {
        *at = static_cast<u8>(value);
        return at + 1;
    } else if constexpr (kWidth == Width::plain64) {
        return store(value, at);
    } else {
        const bool undefined = is_undefined(kWidth, value);
        const std::size_t size = undefined ? 0 : significant_bytes(value);
        *at = undefined ? kUndefinedSize : static_cast<u8>(size);
        return store_number(value, size, at + 1);
    }
}

/// Encodes fields; null if a value is too large for its field.
template <Width... kWidths>
[[gnu::flatten]] u8* put_fields(const u64* values, u8* at) {
    u64 excess = 0;
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        ((excess |= values[kIndex] & ~value_bits(kWidths)), ...);
        ((at = put<kWidths>(values[kIndex], at)), ...);
    }
    (std::make_index_sequence<sizeof...(kWidths)>{});
    return excess == 0 ? at : nullptr;
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
