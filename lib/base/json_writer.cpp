// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json_writer.hpp"

#include "base/error.hpp"
#include "base/types.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tracefold {

namespace {

/// Escapes a character of four hexadecimal digits.
void append_escape(char32_t code, std::string& out) {
    constexpr char kHexDigits[] = "0123456789abcdef";
    out += "\\u";
    for (const u32 shift : {12U, 8U, 4U, 0U}) out += kHexDigits[code >> shift & 15U];
}

/// True for single-byte characters that JSON strings contain verbatim.
bool is_plain(char letter) {
    return letter >= ' ' && letter < '\x7f' && letter != '"' && letter != '\\';
}

/// Appends the first UTF-8 sequence of `text`, escaped if needed; returns its length in bytes.
std::size_t append_sequence(std::string_view text, std::string& out) {
    const std::size_t length = utf8_sequence(text);
    const char first = text.front();
    if (length == 0) {
        out += "\\ufffd";
    } else if (first == '"' || first == '\\') {
        out.append({'\\', first});
    } else if (first == '\n') {
        out += "\\n";
    } else if (first == '\t') {
        out += "\\t";
    } else if (is_unprintable(text.substr(0, length))) {
        append_escape(code_point(text.substr(0, length)), out);
    } else {
        out += text.substr(0, length);
    }
    return length == 0 ? 1 : length;
}

void require(bool condition, const char* broken_rule) {
    if (!condition)
        throw Error(ErrorKind::internal, std::string("invalid JSON output: ") + broken_rule);
}

// Big enough for every shortest double and every 64-bit integer.
template <typename Number>
std::string number_text(Number number) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), result.ptr};
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
    out += '"';
    while (!text.empty()) {
        const auto plain = std::find_if_not(text.begin(), text.end(), is_plain) - text.begin();
        out += text.substr(0, static_cast<std::size_t>(plain));
        text.remove_prefix(static_cast<std::size_t>(plain));
        if (!text.empty()) text.remove_prefix(append_sequence(text, out));
    }
    out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
    require(!levels_.empty() && levels_.back().closer == '}', "a key stands outside of an object");
    require(!key_pending_, "a key follows a key");
    new_item();
    quote(name);
    out_ << (layout_ == JsonLayout::pretty ? ": " : ":");
    key_pending_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    before_value();
    quote(text);
    after_value();
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    if (!std::isfinite(number)) return null();
    return scalar(number_text(number));
}

JsonWriter& JsonWriter::signed_value(i64 number) { return scalar(number_text(number)); }

JsonWriter& JsonWriter::unsigned_value(u64 number) { return scalar(number_text(number)); }

JsonWriter& JsonWriter::scalar(std::string_view token) {
    before_value();
    out_ << token;
    after_value();
    return *this;
}

JsonWriter& JsonWriter::begin(char opener, char closer) {
    before_value();
    out_ << opener;
    levels_.push_back({closer});
    return *this;
}

JsonWriter& JsonWriter::end(char closer) {
    require(!levels_.empty() && levels_.back().closer == closer, "an end has no begin");
    require(!key_pending_, "a key has no value");
    const bool empty = levels_.back().empty;
    levels_.pop_back();
    if (!empty) break_line();
    out_ << closer;
    after_value();
    return *this;
}

void JsonWriter::before_value() {
    require(!finished_, "a second value follows the first");
    if (levels_.empty()) return;
    if (levels_.back().closer == '}')
        require(key_pending_, "a value in an object has no key");
    else
        new_item();
    key_pending_ = false;
}

void JsonWriter::after_value() {
    if (!levels_.empty()) return;
    finished_ = true;
    out_ << '\n';
}

void JsonWriter::new_item() {
    if (!levels_.back().empty) out_ << ',';
    levels_.back().empty = false;
    break_line();
}

void JsonWriter::break_line() {
    if (layout_ != JsonLayout::pretty) return;
    out_ << '\n';
    for (std::size_t i = 0; i < levels_.size(); ++i) out_ << "  ";
}

void JsonWriter::quote(std::string_view text) {
    quoted_.clear();
    append_json_string(text, quoted_);
    out_ << quoted_;
}

}  // namespace tracefold
