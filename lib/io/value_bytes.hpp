// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/wide_integer.hpp"
#include "io/bytes.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold {

/// Writes values that travel from one process to another. A type lists what it is made of once, for
/// both directions:
///
///     static void each_field(auto& self, auto& visit) { visit(self.index, self.name); }
///
/// Whole numbers, truth values and enumerators travel as varints, a `double` as its bits; strings
/// and containers begin with their size. Not for files: their layout is written down elsewhere.
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

/// Reads what a ValueWriter wrote. Throws Error(corrupt). Memory: as much as has been read.
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

/// The value that to_bytes() wrote. `name` says in messages what it is. Throws Error(corrupt).
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
