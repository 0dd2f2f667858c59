// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "mpi/program_steps.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/structure/findings.hpp"

#include <functional>
#include <map>
#include <vector>

namespace tracefold {

/// An outermost loop of a script. `number`: from 1 in script order; 0: the main loop of all
/// participants. kNone if there is no such loop.
u32 chosen_loop(ListingSource& source, u32 script, u32 number);

/// Consecutive iterations of a location, as a range of its records: from the end of the record
/// before them on, since a program computes before its first call.
struct IterationRange {
    u64 first = 0;         ///< number of the first record
    u64 last = ~u64{0};    ///< number of the record after them
    TickWindow time = {};  ///< by the clock of the location
};

/// Ranges of the wanted iterations. Cost: unwinds the location. Throws Error(corrupt).
std::vector<IterationRange> iteration_ranges(TraceFile& file, u32 location,
                                             const LocationSteps& steps,
                                             const std::function<bool(u64 iteration)>& wanted);

/// Defines the iterations of each location: the steps of the program (find_program_steps()), which
/// all ranks share; without communication between ranks, the iterations of each location's main
/// loop (find_main_loop()); or the iterations of a chosen loop per script. The constructor's
/// arguments must outlive this object.
class Iterations {
  public:
    /// `loop`: index among a script's outermost loops, from 1; 0: the steps.
    Iterations(TraceFile& file, ListingSource& source, FoundSteps& steps, u32 loop = 0)
        : file_(file), source_(source), steps_(steps), loop_(loop) {}

    /// Null if the location has no iterations. Cost: finds the steps once; for a loop, unwinds the
    /// location once. Throws Error(corrupt).
    const LocationSteps* of(u32 location);
    /// Number of iterations; 0 if there are none.
    u64 count(u32 location) {
        const LocationSteps* steps = of(location);
        return steps == nullptr ? 0 : steps->count();
    }

    /// Throws Error(usage) if steps are requested and the program has no common steps.
    void expect_some();

  private:
    [[nodiscard]] bool are_of_program() const {
        return loop_ == 0 && file_.definitions().world_size() > 1;
    }
    [[nodiscard]] u32 loop_of(u32 location);

    TraceFile& file_;
    ListingSource& source_;
    FoundSteps& steps_;
    u32 loop_;
    std::map<u32, LocationSteps> of_loops_;
};

}  // namespace tracefold
