// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// The steps of one location, or the iterations of one of its loops, as ranges of calls. Memory:
/// one entry per run of steps with the same number of calls.
class LocationSteps {
  public:
    /// The next step begins with this call, counted from 0 among the calls of the location.
    /// Precondition: not before the previous begin or end.
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
    /// The step of a call, or the next one; count() after the last. Cost: logarithmic in the runs.
    [[nodiscard]] u64 step_from(u64 call) const;
    /// The step that a call belongs to; none: no step.
    [[nodiscard]] std::optional<u64> step_of(u64 call) const;

  private:
    static constexpr u64 kOpen = ~u64{0};

    /// Steps that begin with calls `first`, `first` + `calls`, ...
    struct Run {
        u64 step = 0;
        u64 first = 0;
        u64 calls = 0;
        u64 count = 1;
        u64 end = kOpen;  ///< end of the last step; kOpen: the begin of the next run
    };

    [[nodiscard]] u64 end_of(const Run& run) const {
        return run.end != kOpen || &run == &runs_.back() ? run.end : (&run)[1].first;
    }

    std::vector<Run> runs_;
    u64 count_ = 0;
};

/// Counts the calls of a location and gives their steps. Cost per call: amortised O(1).
class StepCounter {
  public:
    /// Null: no call is in a step. `steps` must outlive this object.
    explicit StepCounter(const LocationSteps* steps);

    /// Advances to the next call, initially to the first one.
    void next() {
        if (++call_ >= change_) find();
    }
    [[nodiscard]] std::optional<u64> step() const { return step_; }

  private:
    void find();

    const LocationSteps* steps_;
    u64 call_ = ~u64{0};
    u64 change_ = 0;  ///< the call at which the current step may change
    std::optional<u64> step_;
};

/// Repetition within steps, such as the iterations of a solver.
struct StepIterations {
    u64 steps = 0;   ///< steps with iterations
    u64 fewest = 0;  ///< iterations in one of these steps
    u64 most = 0;
    u32 location = 0;          ///< of the rank that sends most
    LocationSteps iterations;  ///< of this location, in all steps
};

/// The reason why a program has no steps.
enum class NoSteps : u8 {
    one_process,      ///< or no ranks that communicate
    no_operations,    ///< no message or collective operation is recorded
    too_large,        ///< more events or operations than the search reads
    several_threads,  ///< of a rank communicate
    no_repetition,    ///< of messages or collective operations on the rank that sends most
    other_ranks,      ///< its repetition is none on others: they send much less in some parts
    few_ranks,        ///< half of the ranks or more take no part in the repetition, or repeat apart
    several_phases,   ///< with steps of their own, none with half of the messages
};

struct StepsMissing {
    NoSteps why{};
    std::vector<u64> phases;  ///< of several_phases: the steps of each
};

/// "several threads of a rank communicate".
std::string no_steps_text(const StepsMissing& none);
/// "5, 30 and 10".
std::string phases_text(const std::vector<u64>& phases);

/// The steps of a program, the same on all ranks: no message crosses from one step to another.
struct ProgramSteps {
    u64 count = 0;
    /// Another number of steps, if messages are exchanged in some of them only, or in each: equal
    /// groups of collectives between the messages may be steps of their own. 0: none.
    u64 otherwise = 0;
    u64 exchange_every = 1;  ///< steps from one exchange of messages to the next
    /// The numbers of steps of parts of the program, in their order, if there are several; the
    /// steps are those of one of these.
    std::vector<u64> phases;
    std::vector<LocationSteps> locations;  ///< by location; empty if unknown
    std::optional<StepIterations> within;  ///< only on request
    /// Numbers that a rank is combined with by XOR to give its partners, in turn, if every step of
    /// every rank that has messages consists of such exchanges of one message each way; empty
    /// otherwise.
    std::vector<u32> rounds;
    bool messages_grow = false;  ///< from step to step, as in a benchmark of message sizes

    /// Steps that begin with messages.
    [[nodiscard]] u64 exchanges() const { return (count + exchange_every - 1) / exchange_every; }
    [[nodiscard]] const LocationSteps* of(u32 location) const {
        return locations[location].count() == 0 ? nullptr : &locations[location];
    }
};

/// Whether to search for repetition within steps as well.
enum class StepLevels : u8 { one, two };

/// Inferred from the order of messages and collectives (quiescent_cuts.hpp, repeated_steps.hpp);
/// nullopt if no repeated messages are at least half of all, or if the trace has more than some ten
/// million events; `none` may be null, and gets the reason. Only locations that communicate have
/// steps. Where equal groups of collectives follow messages, they are the steps if a region of the
/// program is entered once in each, or there are three or more with about the same computation.
/// Cost: unwinds the locations, divided among `threads` (0: one per core for large traces). Memory:
/// 50 bytes per operation. Throws Error(corrupt).
std::optional<ProgramSteps> find_program_steps(TraceFile& file, StepLevels levels = StepLevels::one,
                                               u32 threads = 1, StepsMissing* none = nullptr);

/// The steps of a file, found on first use. The file must outlive this object. Thread-safe: later
/// callers wait for the first one.
class FoundSteps {
  public:
    /// `threads`: see find_program_steps().
    explicit FoundSteps(TraceFile& file, StepLevels levels = StepLevels::one, u32 threads = 1)
        : file_(file), levels_(levels), threads_(threads) {}

    /// Cost: that of find_program_steps(), once.
    const std::optional<ProgramSteps>& get() {
        const std::scoped_lock lock(mutex_);
        if (!known_) steps_ = find_program_steps(file_, levels_, threads_, &none_);
        known_ = true;
        return steps_;
    }
    /// Precondition: get() found none.
    [[nodiscard]] const StepsMissing& none() const { return none_; }

  private:
    TraceFile& file_;
    StepLevels levels_;
    u32 threads_;
    std::mutex mutex_;
    bool known_ = false;
    std::optional<ProgramSteps> steps_;
    StepsMissing none_;
};

/// The gap between calls of a location in which a step begins, or ends without a next one.
struct StepBorder {
    u64 behind = 0;  ///< number of calls up to the last operation before the border
    u64 before = 0;  ///< the call of the first operation after the border
    bool ends = false;
};

/// The steps of a location. Calls between the operations of two steps belong to the later step if
/// they also precede the first step: in a program that computes, then exchanges, the computation
/// before the first exchange shows this. Precondition: the last border ends, the first does not.
/// Cost: unwinds the location. Throws Error(corrupt).
LocationSteps place_steps(TraceFile& file, u32 location, const std::vector<StepBorder>& borders);

/// The iterations of a loop, a node of the location's script, over the run. Cost: unwinds it.
LocationSteps steps_of_loop(TraceFile& file, u32 location, u32 loop);

/// The region of the program that contains its steps.
struct StepRegion {
    std::string name;
    bool is_step = false;  ///< entered once per step; otherwise open around all steps

    bool operator==(const StepRegion&) const = default;
};

/// Among the regions that are not MPI functions: the outermost one that the first rank with steps
/// enters once per step and in which it makes at least half of its MPI calls; otherwise the
/// innermost one open around all steps, except the outermost region, such as main. It may be
/// entered before the first step begins. Nullopt if there is neither. Cost: unwinds a location.
/// Throws Error(corrupt).
std::optional<StepRegion> find_step_region(TraceFile& file, const ProgramSteps& steps);
/// Finds the region of the steps of one location.
std::optional<StepRegion> find_step_region(TraceFile& file, u32 location,
                                           const LocationSteps& steps);

}  // namespace tracefold
