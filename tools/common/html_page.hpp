// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A page that needs no other file: style for light and dark screens and for paper.
void begin_page(std::ostream& out, std::string_view title);
void end_page(std::ostream& out);

/// Opens a section that "</section>" closes.
void begin_section(std::ostream& out, std::string_view title);

/// A row of a table; `tag` is "th" or "td".
void put_row(std::ostream& out, std::string_view tag, const std::vector<std::string>& cells);

}  // namespace tracefold
