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

/// The printed data.
struct InfoFigures {
    FileOverview overview;
    std::vector<ColumnCost> columns;  ///< empty: not requested
    RecordingGaps gaps = {};
    NestingCounts nesting = {};
};

/// Prints at most twelve lines, rounded, with units, and with ALL also the parts of the file.
void print_info(FoldedInput& input, const InfoFigures& figures, bool all, Console& console);

/// Prints everything as one JSON object: bytes, seconds, exact counts.
void print_info_json(FoldedInput& input, const InfoFigures& figures, Console& console);

/// Bytes of the exact tick sections; 0 without them.
u64 tick_bytes(const FileOverview& overview);

}  // namespace tracefold
