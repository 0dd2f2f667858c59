// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tables/traffic_tables.hpp"

#include <ostream>

namespace tracefold {

/// "sent"; of collectives "sent per call to all members", "per peer".
std::string_view side_text(const MessageSizes::Key& key);

/// "64 B - 127 B", "0 B".
std::string class_text(std::size_t size_class);

/// A line per size class or, with `exact`, per size that occurs. Precondition: the sizes were
/// counted that way.
void write_sizes_csv(const MessageSizes& sizes, bool exact, std::ostream& out);

/// Bars by size class, one colour per call.
void write_sizes_svg(const std::string& file, const MessageSizes& sizes, std::ostream& out);

}  // namespace tracefold
