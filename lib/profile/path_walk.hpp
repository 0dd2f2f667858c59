// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/path_stack.hpp"
#include "query/thread_forks.hpp"
#include "trace/call_reader.hpp"

#include <span>

namespace tracefold {

/// Reads the records of a location one by one and knows the call path of each: regions within
/// regions, the program around them, and threads below the place that started them. Memory: that of
/// a CallReader, and the depth of calls. Throws Error(corrupt).
class PathWalk {
  public:
    enum class Step : u8 { entered, left, other };

    /// `number` of the location in the order of calls (CallTree::call_order()). `threads` are
    /// those of the locations before, in nodes of the tree (forking_first()). The file, the tree
    /// and the threads must outlive the walk.
    PathWalk(TraceFile& file, u32 location, u32 number, Times times, CallTree& tree,
             TraceThreads& threads);

    /// Goes on to the next record, whose effect on the call path has happened then; false at the
    /// end.
    bool next();

    /// Goes on to the next MPI call, as MpiCallReader passes the calls, and returns its node; kNone
    /// after the last.
    u32 next_mpi_call();

    [[nodiscard]] Step step() const { return step_; }
    [[nodiscard]] const RecordBatch::Head& head() const { return stream_.records()[record_ - 1]; }
    [[nodiscard]] std::span<const u64> values() const { return stream_.records().values(head()); }
    [[nodiscard]] const MappingTables& tables() const { return stream_.tables(); }
    /// The region that has been entered or left.
    [[nodiscard]] u64 region() const { return region_; }

    /// The innermost node; kNone outside of all.
    [[nodiscard]] u32 here() const { return stack_.here(); }
    /// True at the place at which another thread started this one, outside of all own regions.
    [[nodiscard]] bool is_attached() const { return stack_.is_attached(); }
    [[nodiscard]] std::size_t depth() const { return stack_.depth(); }
    [[nodiscard]] bool in_mpi_call() const { return stack_.in_mpi_call(); }

  private:
    void take();
    void take_other();
    /// Of a node that is new.
    [[nodiscard]] u64 next_order() const { return CallTree::call_order(number_, tree_.size()); }

    CallReader stream_;
    u32 number_;
    CallTree& tree_;
    PathStack stack_;
    ThreadTeams teams_;
    std::size_t record_ = 0;  ///< of the reader's call, the next one
    Step step_ = Step::other;
    u64 region_ = 0;
};

}  // namespace tracefold
