// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/busy_time.hpp"
#include "base/types.hpp"
#include "file/io_files.hpp"
#include "questions/profile/call_tree.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// Bytes read from and written to files: per file, location and call path.
struct IoProfile {
    struct Operations {
        u64 count = 0;
        u64 bytes = 0;    ///< or kOverflow
        u64 unknown = 0;  ///< operations without a recorded size
        u64 ticks = 0;    ///< from begin to completion, summed
        BusyTime busy;    ///< at least one operation under way, on the common clock

        void add(const Operations& other) {
            count += other.count;
            add_saturated(bytes, other.bytes);
            unknown += other.unknown;
            ticks += other.ticks;
            busy.add(other.busy);
        }
    };
    struct Figures {
        u64 opened = 0;  ///< handles created or duplicated
        std::array<Operations, kIoModes> operations;
        /// I/O calls of any kind: from enter to leave, without nested calls.
        u64 calls = 0;
        u64 call_ticks = 0;

        void add(const Figures& other);
        [[nodiscard]] const Operations& of(IoMode mode) const {
            return operations[static_cast<std::size_t>(mode)];
        }
    };
    struct Row {
        u32 file = kNone;  ///< index into `files`; kNone: unknown
        u32 location = 0;
        u32 node = kNone;  ///< of the call path that began the operation; kNone: none
        Figures figures;
    };

    std::vector<IoFiles::File> files;
    CallTree tree;
    std::vector<std::string> names;  ///< by node
    std::vector<Row> rows;           ///< by location, then file, then call path
    bool has_times = false;
    TickRate rate;
    u64 outstanding = 0;  ///< operations without completion
    u64 unmatched = 0;    ///< completions without begin
    u64 cancelled = 0;    ///< operations

    /// "program/main/MPI_File_write"
    [[nodiscard]] std::string path(u32 node) const;
    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
};

/// Unwinds the selected locations that call I/O functions or record file operations, with times if
/// the file keeps every time. An operation belongs to the location that begins it, even if another
/// completes it. Cost: their events, and IoCrossings. Memory: rows, the
/// disjoint intervals of their operations, and outstanding operations.
/// Throws Error(corrupt).
IoProfile trace_io(TraceFile& file, const std::vector<bool>& selected);

}  // namespace tracefold
