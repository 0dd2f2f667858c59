// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"

#include <map>
#include <string>
#include <vector>

namespace tracefold {

/// Statistics of a file. TraceFile::archive() and summary() have names and versions.
struct FileOverview {
    struct Region {
        std::string name;
        u64 calls = 0;
        u64 locations = 0;  ///< that call it
    };
    struct Sections {
        SectionKind kind{};
        u64 count = 0;
        u64 stored_bytes = 0;
        u64 content_bytes = 0;
    };
    struct File {
        std::string path;
        u64 bytes = 0;
    };
    /// The shape of the folded events.
    struct Shape {
        u64 scripts = 0;  ///< distinct
        u64 symbols = 0;
        u64 patterns = 0;
        u64 columns = 0;
        u64 loops = 0;                  ///< distinct loops of scripts
        u64 deepest_nest = 0;           ///< maximum nesting depth of loops
        u64 longest_stretch = 0;        ///< longest sequence of unfolded items
        u64 assignments = 0;            ///< arguments and counts
        u64 differing_assignments = 0;  ///< that differ between locations
    };

    u64 file_bytes = 0;
    u64 ranks = 0;
    u64 events = 0;
    u64 local_definitions = 0;
    std::map<u64, u64> location_types;        ///< OTF2_LocationType -> number
    std::map<u64, u64> location_group_types;  ///< OTF2_LocationGroupType -> number
    std::vector<u64> definitions;             ///< by DefinitionType
    std::vector<u64> records;                 ///< by EventType
    std::vector<Region> regions;              ///< most calls first
    u64 raw_unknown_request = 0;
    u64 raw_inexpressible = 0;
    u64 timer_resolution = 0;  ///< ticks per second
    u64 clock_offset = 0;      ///< ticks
    u64 trace_length = 0;      ///< ticks
    Shape shape;
    std::vector<Sections> sections;  ///< by kind, in file order
    std::vector<File> files;         ///< stored verbatim
};

/// Computes the statistics from everything but the ticks; events are counted in folded form. Cost:
/// the folded size plus locations x arguments that differ between them. Throws Error(corrupt).
FileOverview file_overview(TraceFile& file);

/// The size of a group of numbers in a file.
struct ColumnCost {
    SectionKind section{};
    std::string where;  ///< "MpiIsend msg_length", or a part without records: "scripts"
    std::string form;   ///< their meaning: "patterns", "lists", ...
    u64 numbers = 0;
    u64 content_bytes = 0;
    double stored_bytes = 0;
};

/// Returns the sizes within definitions, local definitions and structure, largest first. The sizes
/// of a section add up to its stored size. Cost: that of writing these sections.
std::vector<ColumnCost> column_costs(const TraceFile& file);

}  // namespace tracefold
