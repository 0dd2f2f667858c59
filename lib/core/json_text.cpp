// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/json_text.hpp"

#include "core/printable.hpp"
#include "core/types.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace tracefold::inline core {

namespace {

/// Of a character of four digits.
void append_escape(char32_t code, std::string& out) {
    constexpr char kHexDigits[] = "0123456789abcdef";
    out += "\\u";
    for (const u32 shift : {12U, 8U, 4U, 0U}) out += kHexDigits[code >> shift & 15U];
}

/// True for characters of one byte that JSON text contains as they are.
bool is_plain(char letter) {
    return letter >= ' ' && letter < '\x7f' && letter != '"' && letter != '\\';
}

/// Appends the first UTF-8 sequence of `text`, escaped if need be; returns its length in bytes.
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

}  // namespace tracefold::inline core
