// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collection/trace_list.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Reading of traces with the temporary folder and the name of this tool.
TraceReading trace_reading(bool deep);

/// The columns of a list: those that are always shown, the order's, and distance and state where
/// there is something to tell.
std::vector<TraceField> shown_fields(const std::vector<TraceRecord>& traces,
                                     std::optional<TraceField> sort);

/// The value with its unit; "-": not known.
std::string field_text(const TraceRecord& trace, TraceField field);

}  // namespace tracefold
