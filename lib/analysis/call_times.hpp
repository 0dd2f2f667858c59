// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/structure_listing.hpp"
#include "fold/execution_counts.hpp"
#include "trace/trace_file.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Ticks of all locations together, by symbol.
struct CallTimes {
    std::vector<u64> inside;  ///< from the first record of a call to its last
    std::vector<u64> before;  ///< from the record before the call to its first
    u64 total = 0;            ///< of both, all symbols

    void add(const CallTimes& other);
    static void each_field(auto& self, auto& visit) { visit(self.inside, self.before, self.total); }
};

/// From the durations that a file keeps, or from the times of every record; nothing if it has no
/// times. Cost: the folded size, without durations that of unwinding all locations. Throws
/// Error(corrupt).
std::optional<CallTimes> call_times(TraceFile& file);

/// Those of some locations of a file that keeps_every_time(). Cost: unwinds them. Throws
/// Error(corrupt).
CallTimes call_times_of(TraceFile& file, const std::vector<u32>& locations);

/// The times of a file that keeps durations; of other files only if they are `wanted`, since they
/// have to be unfolded for it. Throws Error(usage) if the file keeps none and they are wanted.
std::optional<CallTimes> call_times_at_hand(TraceFile& file, bool wanted);

/// Where the time of a script goes, in ticks of all its participants. What a symbol takes is shared
/// out by how often it is executed: a call that stands in several places takes as long in each.
struct LineTimes {
    /// By node, each time it is come by: of a leaf the call alone, of a loop all iterations and the
    /// computation within.
    std::vector<double> per_visit;
    /// By node: how often a body is run through each time the loop is come by.
    std::vector<double> iterations;
    double total = 0;  ///< of everything that is listed, computation included
};

/// Cost: linear in the script's nodes.
LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts);

}  // namespace tracefold
