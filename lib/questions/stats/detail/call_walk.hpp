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

/// Sums the quantities of a location, or of one of its iterations, by row. Memory: rows.
class Sums {
  public:
    /// Adds `value` `times` times; saturates at kOverflow beyond 64 bits.
    void add(u32 row, Quantity quantity, u64 value, u64 times);

    /// Passes and resets all sums; adds them to `total` if given. Cost: rows with values.
    void pass(SampleScope over, u32 location, u64 iteration, SampleSink& sink,
              Sums* total = nullptr);
    /// Passes the number of calls as samples over calls. Cost: rows with values.
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

/// Walks a location record by record and passes its samples: times and bytes over calls
/// immediately, all quantities over iterations at their end, sums over ranks and numbers of calls
/// at the end of the walk. Bytes belong to the innermost region around the record that posts the
/// message or begins the operation; calls and times to the iteration in which they end. Copies on
/// an accelerator stream are calls of their own. A call without an end in the trace is counted but
/// has no time. Memory: depth of regions, rows. Throws Error: corrupt, unsupported.
class CallWalk {
  public:
    /// `iterations`: the requested ones; null: none. `threads`, for call-path rows: the forked
    /// threads of the preceding locations, located by row (forking_first()); else null. The
    /// arguments must outlive this object. Precondition: the location has events.
    CallWalk(TraceFile& file, u32 location, const LocationSteps* iterations, RowChooser& rows,
             SampleSink& sink, TraceThreads* threads, const IoCrossings& crossings);

    void run();

    /// Calls that end before they begin (clock set back): they have no time.
    [[nodiscard]] u64 backwards() const { return backwards_; }
    /// Reads and writes without a recorded size, which are in no sum of bytes.
    [[nodiscard]] u64 unknown_sizes() const { return unknown_sizes_; }

  private:
    /// Pseudo region: a thread attached to another thread's path, or a task outside of regions.
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
    /// Sums that receive the current call or record.
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
    /// Rows of a sampled calling context.
    struct Sampled {
        RowChooser::Choice self;
        std::vector<u32> rows;  ///< requested rows of the stack
    };
    std::unordered_map<u64, Sampled> sampled_;
    Sums all_;           ///< of the location, excluding the current iteration
    Sums of_iteration_;  ///< of the current iteration
    StepCounter steps_;
    std::optional<u64> iteration_;
    u64 backwards_ = 0;
    u64 unknown_sizes_ = 0;
};

/// True if every message and operation was recorded within a call of its own, and none is a file
/// operation: then the folded form shows which function it belongs to. Cost: the symbols.
bool transfers_stand_in_calls(TraceFile& file);

/// Passes calls and bytes of the locations over calls and over ranks, as CallWalk does, but from
/// the folded form: no times, no iterations. Cost: visit_transfers() + locations x symbols. Throws
/// Error: corrupt, unsupported. Preconditions: transfers_stand_in_calls(); rows are no call paths.
void walk_folded(TraceFile& file, ExecutionCounts& counts, const std::vector<u32>& locations,
                 RowChooser& rows, SampleSink& sink);

/// Passes the iterations of a location's outermost loops as calls: the time is from the first
/// record to the last, the bytes are those of all messages and operations posted in the iteration.
/// A loop is named by the functions called in it; further loops with the same functions are "...,
/// loop 2" and so on. `matches` selects functions: loops without any of them are omitted. Returns
/// the number of reads and writes without a recorded size, which are in no sum. Cost: unwinds the
/// location. Throws Error(corrupt). Precondition: the location has events.
u64 walk_loops(TraceFile& file, CallNames& names, u32 location, RowChooser& rows,
               const IoCrossings& crossings, SampleSink& sink);

}  // namespace tracefold
