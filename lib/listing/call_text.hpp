// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/progress_sink.hpp"
#include "names/participant_names.hpp"
#include "trace/common_clock.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace tracefold {

/// Writes the calls of a file as text, one line per call, location by location:
///
///     LOCATION BEGIN DURATION NAME ARGUMENT=VALUE...
///
/// preceded by comment lines that begin with '#'. Times are seconds since the first event on the
/// clock that all locations share, "?" in a file without times; what is no call has "-" for a
/// duration. A region that holds other calls takes two lines, "enter NAME" and "leave NAME"; a
/// record outside of any call its own. Only the locations in `selected` are written, in the order
/// of their definitions. `sink` gets pieces of the text, `progress` records. Returns the number of
/// lines but comments. Memory: one call and one piece.
u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected,
                    const std::function<void(std::string_view)>& sink,
                    const ProgressSink& progress);

}  // namespace tracefold
