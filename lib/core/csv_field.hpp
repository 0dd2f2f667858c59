// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace tracefold {

/// `text` as one field of a line of comma separated values (RFC 4180): in quotes where it needs
/// them.
inline std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted += '"';
}

/// The shortest text that reads back as the same number.
inline std::string csv_number(double number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}
inline std::string csv_number(u64 number) { return std::to_string(number); }

}  // namespace tracefold
