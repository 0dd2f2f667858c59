// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "file/trace_file.hpp"
#include "transform/cut/partner_search.hpp"
#include "transform/cut_request.hpp"

#include <map>
#include <string>
#include <vector>

namespace tracefold {

/// The contents of a part of a trace.
struct CutReport {
    u64 file_bytes = 0;                          ///< of the output
    u64 events = 0;                              ///< of the whole trace
    u64 kept = 0;                                ///< from the trace
    u64 added = 0;                               ///< at the edges
    std::map<std::string, u64> dropped_records;  ///< by record type
    u64 dropped_attributes = 0;
    PartnerCounts partners;
    std::vector<std::string> dropped_files;
    /// Requested kinds to leave out that the trace lacks.
    std::vector<RecordKind> idle;

    /// True if more was left out than requested.
    [[nodiscard]] bool has_losses() const {
        return partners.cut_messages + partners.cut_collectives + partners.torn != 0;
    }
};

struct CutOutput {
    std::string path;
    int level = 19;  ///< of zstd
    bool force = false;
    ProgressSink progress;  ///< called with events read; they are read two or three times
};

/// Writes a part of a trace as a folded file, atomically; docs/reference/cut.md has the rules. If
/// nothing is left out, the file holds the unchanged trace. Throws Error: usage (the request
/// selects nothing), io, corrupt. Cost: unwinds the trace up to three times. Memory: folded size,
/// find_partners().
CutReport cut_trace(TraceFile& file, const CutRequest& request, const CutOutput& output);

}  // namespace tracefold
