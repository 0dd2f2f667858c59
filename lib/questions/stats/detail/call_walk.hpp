// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/call_reader.hpp"
#include "file/io_files.hpp"
#include "file/region_stack.hpp"
#include "file/thread_forks.hpp"
#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"
#include "mpi/program_steps.hpp"
#include "questions/stats/detail/figures.hpp"
#include "questions/stats/row_tree.hpp"

#include <array>
#include <optional>
#include <vector>

namespace tracefold {

/// Adds up the quantities of a location, or of one iteration of it, by row. Memory: rows.
class Sums {
  public:
    /// Sums beyond 64 bits are kOverflow.
    void add(u32 row, Quantity quantity, u64 value, u64 times);

    /// Passes all sums and starts again with none. They are added to `total` unless it is null.
    /// Cost: rows that have any.
    void pass(SampleScope over, u32 location, u64 iteration, SampleSink& sink,
              Sums* total = nullptr);
    /// Passes how many calls there were, as samples over calls. Cost: rows that have any.
    void pass_calls(u32 location, SampleSink& sink) const;

  private:
    struct Entry {
        std::array<u64, kQuantities> sums{};
        std::array<bool, kQuantities> present{};
        bool used = false;
    };

    std::vector<Entry> entries_;  ///< by row
    std::vector<u32> used_;
};

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

/// True if every message and operation was recorded within a call of its own, and none is of a
/// file, so that the folded form alone tells which function it belongs to. Cost: the symbols.
bool transfers_stand_in_calls(TraceFile& file);

/// Passes calls and bytes of the given locations over calls and over ranks, as CallWalk does, but
/// from the folded form: no times, no iterations. Cost: that of visit_transfers() and locations x
/// symbols. Throws Error: corrupt, unsupported. Preconditions: transfers_stand_in_calls(); rows are
/// not those of call paths.
void walk_folded(TraceFile& file, ExecutionCounts& counts, const std::vector<u32>& locations,
                 RowChooser& rows, SampleSink& sink);

/// Passes the iterations of a location's outermost loops as if each was a call: its time is from
/// its first record to its last, its bytes are those of all messages and operations posted in it.
/// A loop is named by the functions called in it, by their names; if a location has several with
/// the same functions they are "..., loop 2" and so on. `matches` chooses among these functions:
/// loops without any of them are left out. Cost: unwinds the location. Throws Error(corrupt).
/// Precondition: the location has events. Returns the reads and writes whose size is not recorded,
/// which are in no sum.
u64 walk_loops(TraceFile& file, CallNames& names, u32 location, RowChooser& rows,
               const IoCrossings& crossings, SampleSink& sink);

}  // namespace tracefold
