// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Appends `text` as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string_view text, std::string& out);

enum class JsonLayout { one_line, pretty };

/// Writes one JSON value to a stream, incrementally; memory is the depth of nesting. Integers keep
/// all their digits, doubles round-trip, NaN and infinities become null, bytes that are not UTF-8
/// become U+FFFD. A newline follows the outermost value.
///
/// Calls that do not form valid JSON (a value without key in an object, an end without begin) throw
/// Error(internal).
class JsonWriter {
  public:
    explicit JsonWriter(std::ostream& out, JsonLayout layout = JsonLayout::one_line)
        : out_(out), layout_(layout) {}

    JsonWriter& begin_object() { return begin('{', '}'); }
    JsonWriter& begin_array() { return begin('[', ']'); }
    JsonWriter& end_object() { return end('}'); }
    JsonWriter& end_array() { return end(']'); }

    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool truth) { return scalar(truth ? "true" : "false"); }
    JsonWriter& value(double number);
    JsonWriter& null() { return scalar("null"); }
    /// Writes a byte count; null for kOverflow.
    JsonWriter& bytes(u64 number) { return number == kOverflow ? null() : unsigned_value(number); }

    template <std::integral Integer>
    JsonWriter& value(Integer number) {
        if constexpr (std::signed_integral<Integer>)
            return signed_value(number);
        else
            return unsigned_value(number);
    }

    /// key() and value() in one.
    template <typename Value>
    JsonWriter& member(std::string_view name, const Value& content) {
        return key(name).value(content);
    }

  private:
    struct Level {
        char closer;
        bool empty = true;
    };

    JsonWriter& begin(char opener, char closer);
    JsonWriter& end(char closer);
    JsonWriter& scalar(std::string_view token);
    JsonWriter& signed_value(i64 number);
    JsonWriter& unsigned_value(u64 number);
    void before_value();
    void after_value();
    void new_item();
    void break_line();
    void quote(std::string_view text);

    std::ostream& out_;
    JsonLayout layout_;
    std::vector<Level> levels_;
    std::string quoted_;
    bool key_pending_ = false;
    bool finished_ = false;
};

}  // namespace tracefold
