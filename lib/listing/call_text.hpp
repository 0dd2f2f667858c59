// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/progress_sink.hpp"
#include "names/participant_names.hpp"
#include "trace/common_clock.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Where the text goes, and who makes it.
struct TextTarget {
    std::function<void(std::string_view piece)> sink;  ///< called by one thread at a time
    std::string scratch = ".";                         ///< folder for temporary files
    u32 threads = 1;  ///< among which locations are shared out; 0: as many as pay
};

/// Writes the calls of a file as text, one line per call, location by location:
///
///     LOCATION BEGIN DURATION NAME ARGUMENT=VALUE...
///
/// preceded by comment lines that begin with '#'. Times are seconds since the first event on the
/// clock that all locations share, "?" in a file without times; what is no call has "-" for a
/// duration. A region that holds other calls takes two lines, "enter NAME" and "leave NAME"; a
/// record outside of any call its own. Only the locations in `selected` are written, in the order
/// of their definitions. `progress` gets records. Returns the number of lines but comments. Memory:
/// for each thread one call and one piece; see OrderedParts for what waits.
u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected, const TextTarget& target,
                    const ProgressSink& progress);

}  // namespace tracefold
