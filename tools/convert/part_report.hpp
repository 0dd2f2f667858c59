// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/json_writer.hpp"
#include "cut/cut_trace.hpp"

namespace tracefold {

/// What a part has of the trace, on some lines after the summary.
void report_part(const CutReport& report, Console& console);

/// The same as a member of the object at hand; nothing if `report` is null.
void add_part(JsonWriter& json, const CutReport* report);

/// What was asked for in vain, and what came with the archive.
void warn_about_part(const CutReport& report, Console& console);

}  // namespace tracefold
