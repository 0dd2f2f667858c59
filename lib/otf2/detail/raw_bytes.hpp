// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "model/event_table.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace tracefold::otf2 {

// Marks between records, as OTF2 writes them. A finished file ends with both end marks.
inline constexpr u8 kEndOfChunk = 0x00;  ///< and zeros up to the end of the chunk
inline constexpr u8 kEndOfBuffer = 0x01;
inline constexpr u8 kEndOfFile = 0x02;  ///< where libotf2 stops reading
inline constexpr u8 kChunkHeaderMark = 0x03;
inline constexpr u8 kTimestampMark = 0x05;      ///< and the ticks, of the records that follow
inline constexpr u8 kAttributeListMark = 0x06;  ///< of the record that follows

inline constexpr u64 kTimestampSize = 9;    ///< mark and ticks
inline constexpr u8 kLongLength = 0xFF;     ///< the length of a record follows in eight bytes
inline constexpr u8 kUndefinedSize = 0xFF;  ///< of a number: all bits are set, no bytes follow

/// The records of OTF2 1.0 that are one number have no length: the number has.
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

/// The bounds that libotf2 sets to the size of a chunk.
inline constexpr u64 kSmallestChunk = u64{256} << 10;
inline constexpr u64 kLargestChunk = u64{16} << 20;

/// What every chunk of an event or definition file begins with: mark, byte order, two numbers.
struct ChunkHeader {
    static constexpr std::size_t kSize = 18;
    static constexpr std::size_t kLastEventAt = 10;
    static constexpr u8 kLittleEndian = 'B';
    static constexpr u8 kBigEndian = '#';

    bool little_endian = true;
    u64 first_event = 0;  ///< number of its first event, from 1 on; 1 in definition files
    u64 last_event = 0;   ///< 0 in definition files, and in a chunk that was never finished
};

/// The number of `size` (<= 8) bytes.
inline u64 raw_number(const u8* bytes, std::size_t size, bool little_endian) {
    u64 number = 0;
    for (std::size_t i = 0; i < size; ++i) {
        number = number << 8 | bytes[little_endian ? size - 1 - i : i];
    }
    return number;
}

/// The eight bytes of a number.
inline std::string number_bytes(u64 number, bool little_endian) {
    std::string bytes;
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned shift = 8 * (little_endian ? i : 7 - i);
        bytes += static_cast<char>(number >> shift & 0xFFU);
    }
    return bytes;
}

/// The header at the start of `bytes`, or nothing if they are too few or something else.
inline std::optional<ChunkHeader> parse_chunk_header(std::span<const u8> bytes) {
    if (bytes.size() < ChunkHeader::kSize || bytes[0] != kChunkHeaderMark) return {};
    if (bytes[1] != ChunkHeader::kLittleEndian && bytes[1] != ChunkHeader::kBigEndian) return {};
    ChunkHeader header;
    header.little_endian = bytes[1] == ChunkHeader::kLittleEndian;
    header.first_event = raw_number(&bytes[2], 8, header.little_endian);
    header.last_event = raw_number(&bytes[ChunkHeader::kLastEventAt], 8, header.little_endian);
    return header;
}

}  // namespace tracefold::otf2
