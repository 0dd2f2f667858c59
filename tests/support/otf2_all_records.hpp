// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "model/record_batch.hpp"

#include <map>
#include <string>
#include <vector>

namespace tracefold::testing {

/// The records of an archive that has every kind of record, attribute and location that OTF2 3.0
/// knows: every event type without and with attributes and with extreme values, every definition
/// type (global and local), attributes of every OTF2 type, dense and sparse mapping tables, and
/// locations with huge ids, without events, without local definitions, with more than one chunk.
/// Generated from the record tables, so that a new record type is in it without a change here. The
/// values are distinct and references mostly exist, but the program that it records makes no sense:
/// otf2-print, which trusts references and types of definitions, cannot print it.
struct AllRecords {
    ArchiveInfo info;
    std::vector<u64> locations;  ///< in the order of their definitions
    RecordBatch global_definitions;
    std::map<u64, RecordBatch> local_definitions;  ///< by location; an entry means a file
    std::map<u64, RecordBatch> events;             ///< by location; an entry means a file
};

AllRecords make_all_records();

/// Writes it as `<directory>/<info.name>.otf2`.
void write_archive(const AllRecords& records, const std::string& directory);

}  // namespace tracefold::testing
