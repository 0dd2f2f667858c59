// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

/// Returns the length in bytes of the UTF-8 sequence at the start of `text`; 0 if it is empty or
/// invalid.
std::size_t utf8_sequence(std::string_view text);

/// True for characters that a terminal or an editor interprets: control characters (C0, DEL, C1),
/// bidirectional marks, line and paragraph separators, the byte order mark. Precondition: one UTF-8
/// sequence.
bool is_unprintable(std::string_view sequence);

/// Replaces each unprintable character and each byte that is not UTF-8 by '?'. Names from a trace
/// must pass through here before they reach a terminal or a comment.
std::string printable(std::string_view text);

/// Returns the code point of a UTF-8 sequence.
char32_t code_point(std::string_view sequence);

}  // namespace tracefold
