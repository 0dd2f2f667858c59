// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// The fields of a message in the wire format of Protocol Buffers (protobuf.dev, "Encoding"): a
/// varint with the number and the kind of a field, and its value. Cost: amortised constant per
/// byte; the buffer is kept from message to message.
class ProtobufMessage {
  public:
    void clear() { bytes_.clear(); }
    /// Valid until the next call that is not const.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    /// uint32, uint64, bool, an enumerator, or an int32 or int64 that is not negative.
    void put_number(u32 field, u64 value) {
        put_key(field, kVarint);
        put_varint(value);
    }
    /// string, bytes, or another message.
    void put_text(u32 field, std::string_view text) {
        put_key(field, kLengthDelimited);
        put_delimited(text);
    }
    /// A repeated field of numbers; nothing if there are none.
    void put_numbers(u32 field, std::span<const u64> values) {
        if (values.empty()) return;
        u64 length = 0;
        for (const u64 value : values) length += varint_bytes(value);
        put_key(field, kLengthDelimited);
        put_varint(length);
        for (const u64 value : values) put_varint(value);
    }
    /// Bytes with their number before them, as messages stand in a file of several.
    void put_delimited(std::string_view bytes) {
        put_varint(bytes.size());
        bytes_ += bytes;
    }

  private:
    static constexpr u32 kVarint = 0;
    static constexpr u32 kLengthDelimited = 2;

    void put_key(u32 field, u32 kind) { put_varint(u64{field} << 3U | kind); }

    // ByteWriter has these numbers, too, but gives its buffer away with each message.
    void put_varint(u64 value) {
        for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
        bytes_ += static_cast<char>(value);
    }
    static u64 varint_bytes(u64 value) {
        u64 bytes = 1;
        for (; value >= 0x80; value >>= 7U) ++bytes;
        return bytes;
    }

    std::string bytes_;
};

}  // namespace tracefold
