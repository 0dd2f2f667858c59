// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/location_steps.hpp"
#include "trace/trace_file.hpp"

#include <mutex>
#include <optional>
#include <vector>

namespace tracefold {

/// What repeats itself within steps, such as the iterations of a solver.
struct StepIterations {
    u64 steps = 0;   ///< that have them
    u64 fewest = 0;  ///< in one of these
    u64 most = 0;
    u32 location = 0;          ///< of the rank that sends most
    LocationSteps iterations;  ///< of this location, in all steps
};

/// The steps of a program, the same ones on all ranks: what is sent in a step is received in it.
struct ProgramSteps {
    u64 count = 0;
    std::vector<LocationSteps> locations;  ///< by location; without steps where nothing is known
    std::optional<StepIterations> within;  ///< only if asked for

    [[nodiscard]] const LocationSteps* of(u32 location) const {
        return locations[location].count() == 0 ? nullptr : &locations[location];
    }
};

/// Whether what repeats itself within steps is looked for as well.
enum class StepLevels : u8 { one, two };

/// Inferred from the order of messages and collectives (quiescent_cuts.hpp, repeated_steps.hpp);
/// nothing if no messages come again and again that are at least half of all, or if the trace is
/// larger than some ten millions of events. Only locations that communicate have steps. Cost:
/// unwinds the locations, which `threads` share out (0: one per core where there are events
/// enough). Memory: some 50 bytes per operation. Throws Error(corrupt).
std::optional<ProgramSteps> find_program_steps(TraceFile& file, StepLevels levels = StepLevels::one,
                                               u32 threads = 1);

/// The steps of a file, found when they are first asked for. The file must outlive this object.
/// Several threads may ask: all but the first one wait.
class FoundSteps {
  public:
    /// `threads`: as for find_program_steps().
    explicit FoundSteps(TraceFile& file, StepLevels levels = StepLevels::one, u32 threads = 1)
        : file_(file), levels_(levels), threads_(threads) {}

    /// Cost: that of find_program_steps(), once.
    const std::optional<ProgramSteps>& get() {
        const std::scoped_lock lock(mutex_);
        if (!known_) steps_ = find_program_steps(file_, levels_, threads_);
        known_ = true;
        return steps_;
    }

  private:
    TraceFile& file_;
    StepLevels levels_;
    u32 threads_;
    std::mutex mutex_;
    bool known_ = false;
    std::optional<ProgramSteps> steps_;
};

}  // namespace tracefold
