// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/json_writer.hpp"
#include "query/recording_gaps.hpp"

namespace tracefold {

/// A line for each sentence about what was not recorded.
void print_gaps(const RecordingGaps& gaps, GapScope scope, Console& console);

/// The same as warnings, for forms of a result that have no room for sentences.
void warn_of_gaps(const RecordingGaps& gaps, GapScope scope, Console& console);

/// The member "clock_drift" of the current object, where there is one to tell of.
void add_drift(JsonWriter& json, const RecordingGaps& gaps);

/// The member "left_out" of the object at hand, unless there are no gaps: the processes without
/// events and without functions of MPI, the number of threads, and the sentences.
void add_gaps(JsonWriter& json, const RecordingGaps& gaps, GapScope scope);

}  // namespace tracefold
