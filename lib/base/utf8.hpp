// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

/// Length in bytes of the UTF-8 sequence at the start of `text`; 0 if empty or invalid.
std::size_t utf8_sequence(std::string_view text);

/// True for characters that terminals or editors interpret: control characters (C0, DEL, C1),
/// bidirectional marks, line and paragraph separators, byte order mark. Precondition: one sequence.
bool is_unprintable(std::string_view sequence);

/// Replaces each unprintable character and each byte that is not UTF-8 by '?'. Names from a trace
/// must pass through here before they reach a terminal or a comment.
std::string printable(std::string_view text);

char32_t code_point(std::string_view sequence);

}  // namespace tracefold
