// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "mpi/program_steps.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// A bound of a part of a program.
struct WindowBound {
    enum class Unit : u8 {
        call,       ///< before the call of this index on each location
        time,       ///< before the first call at least this many nanoseconds after the trace begins
        iteration,  ///< before this step of the program, from 0
    };

    Unit unit = Unit::call;
    u64 number = 0;

    bool operator==(const WindowBound&) const = default;
};

/// The requested part of a program; without bounds all of it.
struct WindowRequest {
    std::optional<WindowBound> from;
    std::optional<WindowBound> to;

    [[nodiscard]] bool is_whole() const { return !from && !to; }
    [[nodiscard]] bool asks_for_steps() const {
        constexpr auto kStep = WindowBound::Unit::iteration;
        return (from && from->unit == kStep) || (to && to->unit == kStep);
    }
};

/// A part of a location's program: calls `from` to `to` - 1.
struct LocationWindow {
    static constexpr u64 kEnd = ~u64{0};

    u64 from = 0;
    u64 to = kEnd;
    u64 start_ticks = 0;  ///< begin of the part if given as a time; 0: its first call
    /// Only a part of the program was requested, even if it has all calls of this location.
    bool is_part = false;

    static void each_field(auto& self, auto& visit) {
        visit(self.from, self.to, self.start_ticks, self.is_part);
    }
    [[nodiscard]] bool has(u64 index) const { return from <= index && index < to; }
};

/// Finds the part of a location. Calls after its last step are after all steps. `steps`: null if
/// the program has none. Throws Error: usage (no steps, no file times), corrupt. Cost: unwinds it.
LocationWindow find_window(TraceFile& file, u32 location, const WindowRequest& request,
                           const LocationSteps* steps);

}  // namespace tracefold
