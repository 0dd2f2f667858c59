// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/location_steps.hpp"
#include "trace/trace_file.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace tracefold {

/// What a location spends its time on.
enum class TimeUse : u8 {
    computation,
    point_to_point,
    collective,
    one_sided,
    other_mpi,
    kernel,       ///< on a stream of an accelerator
    device_copy,  ///< to or from an accelerator, on a stream or a thread
    device_wait,  ///< a thread waits for an accelerator
    device_call,  ///< any other call of an accelerator's interface
    thread_wait,  ///< a thread waits for others, or starts and ends them
    file_io,      ///< calls on files, of MPI or others
    idle,         ///< a stream or a worker thread has nothing to do
};
inline constexpr std::size_t kTimeUses = 12;

/// True for functions in which a program sets itself up or ends: they say nothing about how it
/// runs, and what recorders note in them, a collective operation, is not what their time goes into.
bool is_set_up(std::string_view region);

/// "computation", "point-to-point".
std::string_view time_use_name(TimeUse use);

/// Raw ticks from `begin` to `end`.
struct TickWindow {
    u64 begin = 0;
    u64 end = 0;

    [[nodiscard]] u64 length() const { return end - begin; }
};

/// Ticks in each of so many columns; the last ones may lie past the end of the window.
inline u64 column_width(TickWindow window, std::size_t columns) {
    return (window.length() + columns - 1) / columns;
}

/// What locations do over time, in equal columns.
struct Timeline {
    /// Ticks by use.
    using Column = std::array<u64, kTimeUses>;
    struct Lane {
        u32 location = 0;
        std::vector<Column> columns;
    };
    /// A step of the program.
    struct Iteration {
        u64 number = 0;  ///< from 0
        TickWindow span;
    };

    TickWindow window;
    std::vector<Lane> lanes;
    /// Of the first lane, as far as they begin within the window; of many evenly spread ones.
    std::vector<Iteration> iterations;
};

/// From the first record of these locations to the last one. Clocks are taken as recorded. Cost:
/// unwinds the locations. Precondition: as for timeline().
TickWindow recorded_window(TraceFile& file, const std::vector<u32>& locations);

/// `steps`: of the first location, null if none are to be noted. Cost: unwinds the locations, one
/// after another. Memory: lanes x columns. Throws Error(corrupt).
/// Preconditions: keeps_every_time() of the file's timing level; the window is not empty; columns
/// is at least 1.
Timeline make_timeline(TraceFile& file, const std::vector<u32>& locations, TickWindow window,
                       std::size_t columns, const LocationSteps* steps);

}  // namespace tracefold
