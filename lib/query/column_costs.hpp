// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What some numbers of a file take.
struct ColumnCost {
    SectionKind section{};
    std::string where;  ///< "MpiIsend msg_length", or a part without records: "scripts"
    std::string form;   ///< what they say: "patterns", "lists", ...
    u64 numbers = 0;
    u64 content_bytes = 0;
    double stored_bytes = 0;
};

/// Where the bytes of definitions, local definitions and structure go, the largest share first.
/// The shares of a section add up to what it stores. Cost: that of writing these sections.
std::vector<ColumnCost> column_costs(const TraceFile& file);

}  // namespace tracefold
