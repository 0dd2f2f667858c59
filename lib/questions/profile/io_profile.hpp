// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/io_files.hpp"
#include "questions/profile/call_tree.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// What was read from files and written to them: per file, location and call path.
struct IoProfile {
    struct Operations {
        u64 count = 0;
        u64 bytes = 0;    ///< or kOverflow
        u64 unknown = 0;  ///< operations whose size is not recorded
        u64 ticks = 0;    ///< from their beginnings to their completions

        void add(const Operations& other) {
            count += other.count;
            add_saturated(bytes, other.bytes);
            unknown += other.unknown;
            ticks += other.ticks;
        }
    };
    struct Figures {
        u64 opened = 0;  ///< handles created or duplicated
        std::array<Operations, kIoModes> operations;
        /// Calls of I/O, whatever they do: from entering to leaving, no call within one counted.
        u64 calls = 0;
        u64 call_ticks = 0;

        void add(const Figures& other);
        [[nodiscard]] const Operations& of(IoMode mode) const {
            return operations[static_cast<std::size_t>(mode)];
        }
    };
    struct Row {
        u32 file = kNone;  ///< of `files`; kNone: calls that do not say which
        u32 location = 0;
        u32 node = kNone;  ///< of the call path that began the operation; kNone: outside of all
        Figures figures;
    };

    std::vector<IoFiles::File> files;
    CallTree tree;
    std::vector<std::string> names;  ///< by node
    std::vector<Row> rows;           ///< by location, then file, then call path
    bool has_times = false;
    TickRate rate;
    u64 outstanding = 0;  ///< operations without a completion
    u64 unmatched = 0;    ///< completions without a beginning
    u64 cancelled = 0;    ///< operations

    /// "program/main/MPI_File_write"
    [[nodiscard]] std::string path(u32 node) const;
    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
};

/// Unwinds those of the selected locations that call functions of I/O or record operations on
/// files, with their times, if the file keeps that of every record. Operations that
/// another location completes are those of the location that began them. Cost: their events, and
/// those of IoCrossings. Memory: rows, and the operations outstanding at a time. Throws
/// Error(corrupt).
IoProfile trace_io(TraceFile& file, const std::vector<bool>& selected);

}  // namespace tracefold
