// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

/// Characters of TEXT, which is taken as UTF-8; a stray byte counts as one.
std::size_t display_width(std::string_view text);

/// TEXT cut after WIDTH characters.
std::string_view fit(std::string_view text, std::size_t width);

/// TEXT with line ends in place of blanks, so that no line is longer than WIDTH characters; longer
/// words have a line of their own.
std::string wrap(std::string_view text, std::size_t width);

/// printable() TEXT as it may stand in HTML and SVG, attributes included.
std::string markup_text(std::string_view text);

}  // namespace tracefold
