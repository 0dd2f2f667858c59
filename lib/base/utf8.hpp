// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

/// Bytes of the UTF-8 sequence at the front of `text`; 0 if there is none or it is not valid.
std::size_t utf8_sequence(std::string_view text);

/// True for what a terminal or an editor obeys in place of showing it: control characters (C0, DEL,
/// C1), marks that turn the direction of text, separators of lines and paragraphs, the byte order
/// mark. Precondition: one UTF-8 sequence.
bool is_unprintable(std::string_view sequence);

/// TEXT with each of these, and each byte that is not UTF-8, replaced by '?'. Names out of a trace
/// must pass here before they reach a terminal or a comment.
std::string printable(std::string_view text);

/// Unicode's number of a UTF-8 sequence.
char32_t code_point(std::string_view sequence);

}  // namespace tracefold
