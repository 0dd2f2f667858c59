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

/// What a part has of a trace.
struct CutReport {
    u64 file_bytes = 0;                          ///< of the output
    u64 events = 0;                              ///< of the whole trace
    u64 kept = 0;                                ///< of these
    u64 added = 0;                               ///< at the edges
    std::map<std::string, u64> dropped_records;  ///< by record type
    u64 dropped_attributes = 0;
    PartnerCounts partners;
    std::vector<std::string> dropped_files;
    /// Kinds that were to be left out and are not there.
    std::vector<RecordKind> idle;

    /// True if more had to go than was asked for.
    [[nodiscard]] bool has_losses() const {
        return partners.cut_messages + partners.cut_collectives + partners.torn != 0;
    }
};

struct CutOutput {
    std::string path;
    int level = 19;  ///< of zstd
    bool force = false;
    ProgressSink progress;  ///< called with events read; they are read twice or three times
};

/// Writes a part of a trace as a folded file, which appears whole or not at all;
/// docs/reference/cut.md tells what becomes of what. If nothing is left out, the file holds the
/// trace as it is. Throws Error: usage (nothing fits the request), io, corrupt. Cost: unwinds the
/// trace up to three times. Memory: the folded size, and see find_partners().
CutReport cut_trace(TraceFile& file, const CutRequest& request, const CutOutput& output);

}  // namespace tracefold
