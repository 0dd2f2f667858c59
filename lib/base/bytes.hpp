// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold {

/// Maps small magnitudes to small codes: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
constexpr u64 zigzag(i64 value) {
    return (static_cast<u64>(value) << 1U) ^ static_cast<u64>(value >> 63);
}

constexpr i64 unzigzag(u64 code) { return static_cast<i64>((code >> 1U) ^ (0 - (code & 1U))); }

/// The longest LEB128 form of a 64-bit number, in bytes.
inline constexpr std::size_t kMaxVarintBytes = 10;

/// Appends numbers and byte strings to an owned buffer.
///
/// Layout: `u8` one byte; `u32le`, `u64le` little endian; `varint` LEB128 (seven bits per byte,
/// least significant group first, high bit set on all bytes but the last, shortest form); `signed`
/// a varint of the zigzag code; `bytes` verbatim, without a length; `text` a varint byte count,
/// then the bytes. Cost: amortised constant per number.
class ByteWriter {
  public:
    void put_u8(u8 value) { bytes_.push_back(static_cast<char>(value)); }
    void put_u32le(u32 value) { put_little_endian(value); }
    void put_u64le(u64 value) { put_little_endian(value); }

    void put_varint(u64 value) {
        char encoded[kMaxVarintBytes];
        std::size_t length = 0;
        while (value >= 0x80) {
            encoded[length++] = static_cast<char>((value & 0x7FU) | 0x80U);
            value >>= 7U;
        }
        encoded[length++] = static_cast<char>(value);
        bytes_.append(encoded, length);
    }

    void put_signed(i64 value) { put_varint(zigzag(value)); }
    void put_bytes(std::string_view bytes) { bytes_.append(bytes); }
    void put_text(std::string_view text) {
        put_varint(text.size());
        put_bytes(text);
    }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    /// The bytes written so far; valid until the next non-const call.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    /// Returns the buffer and starts again with an empty one.
    [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

  private:
    template <class Unsigned>
    void put_little_endian(Unsigned value) {
        char encoded[sizeof(Unsigned)];
        for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
            encoded[i] = static_cast<char>((value >> (8 * i)) & 0xFFU);
        }
        bytes_.append(encoded, sizeof(Unsigned));
    }

    std::string bytes_;
};

/// Reads the encoding of ByteWriter from untrusted bytes.
///
/// Every function throws Error(corrupt, "NAME is damaged at byte N: ...") instead of reading past
/// the end; the position is then unspecified. Read counts with get_count(): it rejects counts that
/// the remaining bytes cannot hold, before the caller reserves memory. Cost: constant per number,
/// no copies.
class ByteReader {
  public:
    /// `name` is the source in messages, such as "section COLUMNS of run.tfold". Precondition: the
    /// bytes outlive the reader and the views that it returns.
    ByteReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

    /// Rejects temporary strings: the reader would outlive them.
    template <std::same_as<std::string> Temporary>
    ByteReader(Temporary&& bytes, std::string name) = delete;

    u8 get_u8() {
        require(1);
        return static_cast<u8>(bytes_[position_++]);
    }

    u32 get_u32le() { return get_little_endian<u32>(); }
    u64 get_u64le() { return get_little_endian<u64>(); }

    /// Rejects forms of more than ten bytes and numbers beyond 64 bits; accepts padded forms.
    u64 get_varint() {
        if (position_ < bytes_.size()) {
            const auto first = static_cast<u8>(bytes_[position_]);
            if (first < 0x80) {
                ++position_;
                return first;
            }
        }
        return get_long_varint();
    }

    /// A varint; rejects numbers beyond 32 bits.
    u32 get_u32() {
        const std::size_t start = position_;
        const u64 value = get_varint();
        if (value > 0xFFFFFFFFU) fail_u32(start, value);
        return static_cast<u32>(value);
    }

    i64 get_signed() { return unzigzag(get_varint()); }

    std::string_view get_bytes(u64 count) {
        require(count);
        const std::string_view taken = bytes_.substr(position_, static_cast<std::size_t>(count));
        position_ += taken.size();
        return taken;
    }

    std::string_view get_text() { return get_bytes(get_varint()); }

    /// Reads a varint item count. Throws if the remaining bytes cannot hold that many items of
    /// `min_bytes_per_item` bytes, so the caller may reserve memory for them. Precondition:
    /// min_bytes_per_item is at least 1.
    u64 get_count(u64 min_bytes_per_item) {
        assert(min_bytes_per_item > 0);
        const std::size_t start = position_;
        const u64 count = get_varint();
        if (count > remaining() / min_bytes_per_item) {
            fail_count(start, count, min_bytes_per_item);
        }
        return count;
    }

    [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }
    [[nodiscard]] std::size_t position() const { return position_; }

    /// Throws unless all bytes have been read.
    void expect_end() const {
        if (remaining() > 0) {
            fail("nothing more was expected, but " + std::to_string(remaining()) +
                 " bytes are left");
        }
    }

    /// Throws Error(corrupt) at the current position, for checks of the caller.
    [[noreturn]] void fail(const std::string& what) const { fail_at(position_, what); }

  private:
    void require(u64 count) const {
        if (count > remaining()) {
            fail_overrun(count);
        }
    }

    template <class Unsigned>
    Unsigned get_little_endian() {
        require(sizeof(Unsigned));
        Unsigned value = 0;
        for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
            value |= static_cast<Unsigned>(static_cast<u8>(bytes_[position_ + i])) << (8 * i);
        }
        position_ += sizeof(Unsigned);
        return value;
    }

    u64 get_long_varint() {
        const std::size_t start = position_;
        u64 value = 0;
        for (unsigned shift = 0; shift < 63; shift += 7) {
            const u8 byte = get_u8();
            value |= static_cast<u64>(byte & 0x7FU) << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        const u8 last = get_u8();
        if (last > 1) {
            fail_varint(start, last);
        }
        return value | static_cast<u64>(last) << 63U;
    }

    [[noreturn]] void fail_at(std::size_t position, const std::string& what) const;
    [[noreturn]] void fail_overrun(u64 wanted) const;
    [[noreturn]] void fail_count(std::size_t start, u64 count, u64 min_bytes_per_item) const;
    [[noreturn]] void fail_varint(std::size_t start, u8 last) const;
    [[noreturn]] void fail_u32(std::size_t start, u64 value) const;

    std::string_view bytes_;
    std::size_t position_ = 0;
    std::string name_;
};

/// Serialises values for transfer between processes. A type lists its members once, for both
/// directions:
///
///     static void each_field(auto& self, auto& visit) { visit(self.index, self.name); }
///
/// Whole numbers, truth values and enumerators are varints, a `double` its bits; strings and
/// containers begin with their size. Not for files: they have a documented layout.
class ValueWriter {
  public:
    /// `out` must outlive the writer.
    explicit ValueWriter(ByteWriter& out) : out_(out) {}

    template <class... Values>
    void operator()(const Values&... values) {
        (put(values), ...);
    }

  private:
    template <class Value>
    void put(const Value& value) {
        if constexpr (std::same_as<Value, u128>) {
            out_.put_varint(static_cast<u64>(value));
            out_.put_varint(static_cast<u64>(value >> 64U));
        } else if constexpr (std::is_enum_v<Value> || std::unsigned_integral<Value>) {
            out_.put_varint(static_cast<u64>(value));
        } else if constexpr (std::same_as<Value, double>) {
            out_.put_u64le(std::bit_cast<u64>(value));
        } else if constexpr (std::same_as<Value, std::string>) {
            out_.put_text(value);
        } else {
            Value::each_field(value, *this);
        }
    }
    template <class Value>
    void put(const std::vector<Value>& values) {
        out_.put_varint(values.size());
        for (const Value& value : values) put(value);
    }
    template <class Value, std::size_t size>
    void put(const std::array<Value, size>& values) {
        for (const Value& value : values) put(value);
    }
    template <class First, class Second>
    void put(const std::pair<First, Second>& pair) {
        put(pair.first);
        put(pair.second);
    }
    template <class Key, class Value>
    void put(const std::map<Key, Value>& values) {
        out_.put_varint(values.size());
        for (const auto& entry : values) put(entry);
    }

    ByteWriter& out_;
};

/// Reads the encoding of ValueWriter. Throws Error(corrupt). Memory: linear in the bytes.
class ValueReader {
  public:
    /// `in` must outlive the reader.
    explicit ValueReader(ByteReader& in) : in_(in) {}

    template <class... Values>
    void operator()(Values&... values) {
        (get(values), ...);
    }

  private:
    template <class Number>
    Number get_number() {
        const u64 number = in_.get_varint();
        if (number > std::numeric_limits<Number>::max()) in_.fail("a number is too large");
        return static_cast<Number>(number);
    }
    template <class Value>
    void get(Value& value) {
        if constexpr (std::same_as<Value, u128>) {
            value = in_.get_varint();
            value |= static_cast<u128>(in_.get_varint()) << 64U;
        } else if constexpr (std::is_enum_v<Value>) {
            value = static_cast<Value>(get_number<std::underlying_type_t<Value>>());
        } else if constexpr (std::unsigned_integral<Value>) {
            value = get_number<Value>();
        } else if constexpr (std::same_as<Value, double>) {
            value = std::bit_cast<double>(in_.get_u64le());
        } else if constexpr (std::same_as<Value, std::string>) {
            value = in_.get_text();
        } else {
            Value::each_field(value, *this);
        }
    }
    template <class Value>
    void get(std::vector<Value>& values) {
        values.clear();
        for (u64 left = in_.get_count(1); left > 0; --left) get(values.emplace_back());
    }
    template <class Value, std::size_t size>
    void get(std::array<Value, size>& values) {
        for (Value& value : values) get(value);
    }
    template <class First, class Second>
    void get(std::pair<First, Second>& pair) {
        get(pair.first);
        get(pair.second);
    }
    template <class Key, class Value>
    void get(std::map<Key, Value>& values) {
        values.clear();
        for (u64 left = in_.get_count(1); left > 0; --left) {
            std::pair<Key, Value> entry;
            get(entry);
            values.insert(std::move(entry));
        }
    }

    ByteReader& in_;
};

template <class Value>
std::string to_bytes(const Value& value) {
    ByteWriter out;
    ValueWriter write(out);
    write(value);
    return out.take();
}

/// Decodes the value of to_bytes(). `name` is the source in messages. Throws Error(corrupt).
template <class Value>
Value from_bytes(std::string_view bytes, const std::string& name) {
    ByteReader in(bytes, name);
    ValueReader read(in);
    Value value;
    read(value);
    in.expect_end();
    return value;
}

}  // namespace tracefold
