// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace tracefold::inline core {

/// `text` as one field of a line of comma separated values (RFC 4180): in quotes where it needs
/// them, printable(), and with an apostrophe in front of what a spreadsheet would take for a
/// formula (it begins with = + - @ and is no number).
std::string csv_field(std::string_view text);

/// The shortest text that reads back as the same number.
inline std::string csv_number(double number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}
inline std::string csv_number(u64 number) { return std::to_string(number); }

}  // namespace tracefold::inline core
