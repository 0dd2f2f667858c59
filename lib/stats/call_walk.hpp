// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/io_tracker.hpp"
#include "query/thread_forks.hpp"
#include "stats/row_chooser.hpp"
#include "stats/sums.hpp"
#include "steps/location_steps.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"
#include "trace/stream_copies.hpp"

#include <optional>

namespace tracefold {

/// Walks a location record by record and passes its samples: times and bytes over calls as they
/// come, all quantities over iterations when these end; over ranks, and how many calls there were,
/// at the end. Bytes belong to the innermost region around
/// the record that posts the message or begins the operation, calls and times to the iteration that
/// they end in. Copies on a stream of an accelerator are calls of their own. A call that the trace
/// does not see the end of is counted and has no time. Memory: the depth of regions, rows. Throws
/// Error: corrupt, unsupported.
class CallWalk {
  public:
    /// `iterations`: those that are wanted; null: none. They must outlive this object.
    /// Precondition: the location has events.
    /// `threads`, for rows of call paths: those of the locations before, with rows as their places
    /// (forking_first()); null for other rows.
    CallWalk(TraceFile& file, u32 location, const LocationSteps* iterations, RowChooser& rows,
             SampleSink& sink, TraceThreads* threads, const IoCrossings& crossings);

    void run();

    /// Calls that ended before they began, by clocks that were set back: they have no time.
    [[nodiscard]] u64 backwards() const { return backwards_; }
    /// Reads and writes whose size is not recorded: they are in no figure of bytes.
    [[nodiscard]] u64 unknown_sizes() const { return unknown_sizes_; }

  private:
    /// In place of a region: what stands below another thread's path, or in no region as tasks do.
    static constexpr u64 kAttached = ~u64{1};
    static constexpr u64 kTasks = ~u64{2};

    struct Frame {
        u64 region;
        RowChooser::Choice choice;
        u64 time;
    };

    void to_iteration(std::optional<u64> iteration);
    void record(std::size_t number);
    void change_thread(const RecordBatch::Head& head);
    void change_task(const TaskChange& change);
    void end_open_calls();
    [[nodiscard]] RowChooser::Choice choice_of(u8 record_type);
    void enter(const CallReader::Region& region, u64 time);
    void leave(u64 region, u64 time);
    void end_call(const Frame& frame);
    void transfer(std::size_t number);
    bool file_operation(std::size_t number);
    void sample(u64 context);
    void begin_copy(std::size_t number);
    void add(u32 row, Quantity quantity, u64 value);
    /// Where the call or record at hand is added.
    [[nodiscard]] Sums& sums() { return iteration_ ? of_iteration_ : all_; }

    u32 location_;
    bool timed_;
    bool on_stream_;
    const DefinitionIndex& definitions_;
    CallReader stream_;
    RowChooser& rows_;
    SampleSink& sink_;
    u32 group_;
    RegionStack<Frame> frames_;
    StreamCopies copies_;
    IoTracker io_;
    TraceThreads* threads_;
    std::optional<ThreadTeams> teams_;
    /// What a sample of a calling context counts for.
    struct Sampled {
        RowChooser::Choice self;
        std::vector<u32> rows;  ///< on the stack, wanted
    };
    std::unordered_map<u64, Sampled> sampled_;
    Sums all_;           ///< of the location, without the iteration at hand
    Sums of_iteration_;  ///< if there is one
    StepCounter steps_;
    std::optional<u64> iteration_;
    u64 backwards_ = 0;
    u64 unknown_sizes_ = 0;
};

}  // namespace tracefold
