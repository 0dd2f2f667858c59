// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "base/parallel.hpp"
#include "collection/trace_condition.hpp"
#include "collection/trace_record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct TraceListRequest {
    /// Folders, which are searched for files *.tfold and archives *.otf2, and single files.
    std::vector<std::string> places;
    TraceReading reading;
    bool use_index = true;
    u32 threads = 0;             ///< 0: one per core
    ProgressSink expected = {};  ///< called once with the number of traces to read
    ProgressSink progress = {};  ///< called with 1 for each trace that was read
};

struct TraceList {
    std::vector<TraceRecord> traces;  ///< in the order of the places, by path
    u64 read = 0;                     ///< traces that were not in an index, or outdated there
    std::vector<std::string> notes;   ///< reasons why an index was not written
};

/// Lists traces: from the index of each folder (trace_index.hpp), and by reading those that it does
/// not have or that have changed since. A trace that cannot be read, or a folder that cannot be
/// listed, is a record with the reason as its state. Links to folders are not followed; a file with
/// several names is listed once. A folder that holds the anchor of an archive gets no index, which
/// would become part of the archive. Throws Error(io) if a place does not exist. Cost: the status
/// of every file, and read_trace_record() for those to read.
TraceList list_traces(const TraceListRequest& request);

struct TraceQuery {
    std::optional<TraceCondition> where = {};
    std::optional<StructureSignature> like = {};  ///< gives the field `distance`
    std::optional<TraceField> sort = {};          ///< none: distance with `like`, else unsorted
    bool reverse = false;
};

/// Computes distances, removes traces for which the condition does not hold, and sorts the others:
/// rising, by text or number; unknown values last, with `reverse` too. Cost: linear in the
/// features, n log n in the traces.
void select_traces(std::vector<TraceRecord>& traces, const TraceQuery& query);

/// Writes one row per trace with all fields.
void put_traces(const std::vector<TraceRecord>& traces, TableSink& table);

/// True unless the trace, or the folder, could not be read.
bool is_readable(const TraceRecord& record);

}  // namespace tracefold
