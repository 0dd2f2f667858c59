// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "common/console.hpp"
#include "file/file_overview.hpp"
#include "file/recording_gaps.hpp"
#include "file/region_nesting.hpp"

#include <vector>

namespace tracefold {

/// What is printed.
struct InfoFigures {
    FileOverview overview;
    std::vector<ColumnCost> columns;  ///< none if not asked for
    RecordingGaps gaps = {};
    NestingCounts nesting = {};
};

/// Prints an overview for people: rounded numbers with units, and the most frequent calls and
/// largest columns only unless ALL are wanted.
void print_info(FoldedInput& input, const InfoFigures& figures, bool all, Console& console);

/// Prints all of it as one JSON object: bytes, seconds, exact counts.
void print_info_json(FoldedInput& input, const InfoFigures& figures, Console& console);

/// Bytes of the sections of exact ticks, which the file may have none of.
u64 tick_bytes(const FileOverview& overview);

}  // namespace tracefold
