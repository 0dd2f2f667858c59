// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/json_text.hpp"

#include "core/types.hpp"
#include "core/utf8.hpp"

namespace tracefold {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
    out += '"';
    while (!text.empty()) {
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
        } else if (const auto byte = static_cast<u8>(first); byte < 0x20U) {
            out.append("\\u00").append({kHexDigits[byte >> 4U], kHexDigits[byte & 15U]});
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

}  // namespace tracefold
