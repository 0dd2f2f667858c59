// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// The steps of one location, or the iterations of one of its loops: the calls that each begins
/// with. Memory: one entry per run of steps with the same number of calls.
class LocationSteps {
  public:
    /// The next step begins with this call, a number from 0 among the calls of the location.
    /// Precondition: not before the begin or end given last.
    void begin(u64 call);
    /// The last step ends before this call. The next one may begin later.
    void end(u64 call) { runs_.back().end = call; }

    [[nodiscard]] u64 count() const { return count_; }
    /// The calls of a step: from `first` to before `end`.
    struct Calls {
        u64 first = 0;
        u64 end = 0;
    };
    /// Precondition: step < count(). Cost: logarithmic in the runs.
    [[nodiscard]] Calls calls(u64 step) const;
    /// The step of a call, or the next one behind it; count() behind the last one. Cost: as above.
    [[nodiscard]] u64 step_from(u64 call) const;

  private:
    static constexpr u64 kOpen = ~u64{0};

    /// Steps that begin with calls `first`, `first` + `calls`, ...
    struct Run {
        u64 step = 0;
        u64 first = 0;
        u64 calls = 0;
        u64 count = 1;
        u64 end = kOpen;  ///< of the last one of them; kOpen: where the next run begins
    };

    [[nodiscard]] u64 end_of(const Run& run) const {
        return run.end != kOpen || &run == &runs_.back() ? run.end : (&run)[1].first;
    }

    std::vector<Run> runs_;
    u64 count_ = 0;
};

/// Counts the calls of a location and knows their steps. Cost of a call: amortised O(1).
class StepCounter {
  public:
    /// Without steps no call is in one. They must outlive this object.
    explicit StepCounter(const LocationSteps* steps);

    /// Goes on to the next call. Before the first one there is none.
    void next() {
        if (++call_ >= change_) find();
    }
    [[nodiscard]] std::optional<u64> step() const { return step_; }

  private:
    void find();

    const LocationSteps* steps_;
    u64 call_ = ~u64{0};
    u64 change_ = 0;  ///< the call at which it may change whether there is a step, or which
    std::optional<u64> step_;
};

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

/// Between which calls of a location a step begins, or ends without another one.
struct StepBorder {
    u64 behind = 0;  ///< the number of calls up to the last operation before it
    u64 before = 0;  ///< the call of the first operation behind it
    bool ends = false;
};

/// The steps of a location. Of the calls between the operations of two steps, those belong to the
/// later one that also stand before the first step: where a program computes, then exchanges, the
/// computation before the first exchange tells it. Precondition: the last border ends, the first
/// does not. Cost: unwinds the location. Throws Error(corrupt).
LocationSteps place_steps(TraceFile& file, u32 location, const std::vector<StepBorder>& borders);

/// The iterations of a loop, a node of the location's script, over the whole run. Cost: as above.
LocationSteps steps_of_loop(TraceFile& file, u32 location, u32 loop);

/// A region of the program that tells what its steps are.
struct StepRegion {
    std::string name;
    bool is_step = false;  ///< entered once in each step; else it is open around all of them

    bool operator==(const StepRegion&) const = default;
};

/// Of the regions that are no functions of MPI: the outermost one that the first rank with steps
/// enters once in each, and in which it makes at least half of their MPI calls; else the innermost
/// one that is open around all steps, but not the outermost one, such as main. The first step may
/// have been entered before it begins. Nothing if there is neither. Cost: unwinds a location.
/// Throws Error(corrupt).
std::optional<StepRegion> find_step_region(TraceFile& file, const ProgramSteps& steps);
/// The same of the steps of one location.
std::optional<StepRegion> find_step_region(TraceFile& file, u32 location,
                                           const LocationSteps& steps);

}  // namespace tracefold
