// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_reader.hpp"
#include "file/region_nesting.hpp"
#include "file/region_stack.hpp"
#include "file/thread_forks.hpp"
#include "mpi/mpi_call.hpp"
#include "questions/profile/call_tree.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The stack of call tree nodes of a location. Nodes other than regions, such as the program, have
/// no Leave of their own. On an accelerator stream, regions do not nest.
class PathStack {
  public:
    struct OpenNode {
        u64 region;
        u32 node;
        u64 begin;
    };

    /// With `regions`, regions of explicit tasks begin trees of their own. `overlaps`: as for
    /// RegionStack. All arguments must outlive the stack.
    explicit PathStack(CallTree& tree, const ThreadRegions* regions = nullptr,
                       bool overlaps = false)
        : tree_(tree), regions_(regions), stack_(overlaps) {}

    /// The innermost node; kNone: none.
    [[nodiscard]] u32 here() const { return stack_.empty() ? kNone : stack_.back().node; }
    [[nodiscard]] bool empty() const { return stack_.empty(); }
    [[nodiscard]] std::size_t depth() const { return stack_.open().size(); }
    /// Whether this thread is at the place where another started it, outside of its own regions.
    [[nodiscard]] bool is_attached() const {
        return !stack_.empty() && stack_.back().region == kAttached;
    }
    /// The node of the location's program; kNone: none.
    [[nodiscard]] u32 program() const {
        u32 node = here();
        while (node != kNone && tree_[node].parent != kNone) node = tree_[node].parent;
        return node != kNone && tree_[node].kind == CallTree::Kind::program ? node : kNone;
    }
    [[nodiscard]] bool in_mpi_call() const { return stack_.in_mpi_call(); }

    /// Adds the node to the tree; `first` as in CallTree::add(). `time` is returned on leaving.
    void enter(CallTree::Kind kind, u64 ref, u64 first, bool is_mpi = false, u64 time = 0) {
        const u32 parent = stack_.overlaps() ? root() : here();
        const u32 node = tree_.add(parent, kind, ref, first);
        stack_.enter({kind == CallTree::Kind::region ? ref : kOther, node, time}, is_mpi);
    }
    /// Enters a copy on a stream, which leave(id) ends.
    void enter_copy(bool to_device, u64 id, u64 first, u64 time) {
        const u32 node = tree_.add(root(), CallTree::Kind::copy, to_device ? 1 : 0, first);
        stack_.enter({id, node, time}, false);
    }
    /// Enters a region. Outermost regions of explicit tasks begin trees of their own.
    void enter_region(u64 region, bool is_mpi, u64 first, u64 time = 0) {
        const bool begins_task =
            (stack_.in_task() && empty()) || (regions_ != nullptr && regions_->is_task(region));
        if (begins_task) {
            stack_.enter({kTask, tree_.add(kNone, CallTree::Kind::tasks, 0, first), 0}, false);
        }
        enter(CallTree::Kind::region, region, first, is_mpi, time);
    }
    /// Switches to another task.
    void change_task(const TaskChange& change, u64 first) {
        tracefold::change_task(stack_, change, [&](const OpenVisit& visit) {
            enter_region(visit.region, visit.is_mpi, first);
        });
    }
    /// The nodes that it ends, as RegionStack::leave().
    std::span<const OpenNode> leave(u64 region) {
        const std::span<const OpenNode> ended = stack_.leave(region);
        while (!empty() && stack_.back().region == kTask) stack_.pop();
        return ended;
    }
    /// Attaches to the current node of another thread, or returns.
    void change(const ThreadTeams::Change& change) {
        using Change = ThreadTeams::Change;
        if (change.kind == Change::Kind::attach) stack_.enter({kAttached, change.place, 0}, false);
        if (change.kind == Change::Kind::detach) stack_.leave(kAttached);
    }
    /// Leaves the innermost node. Precondition: not empty().
    void pop() { stack_.pop(); }
    void clear() { stack_.clear(); }

  private:
    static constexpr u64 kOther = ~u64{3};
    static constexpr u64 kAttached = ~u64{1};
    static constexpr u64 kTask = ~u64{2};

    /// Of a stream: the parent node of its regions.
    [[nodiscard]] u32 root() const {
        if (stack_.empty()) return kNone;
        const OpenNode& first = stack_.open().front();
        const bool is_root =
            first.region == kAttached || tree_[first.node].kind == CallTree::Kind::program;
        return is_root ? first.node : kNone;
    }

    CallTree& tree_;
    const ThreadRegions* regions_;
    RegionStack<OpenNode> stack_;
};

/// Reads the records of a location and tracks their call paths: nested regions, the enclosing
/// program, and threads below the place that starts them. Memory: a CallReader and the call depth.
/// Throws Error(corrupt).
class PathWalk {
  public:
    enum class Step : u8 { entered, left, other };

    /// `number`: of the location in the call order (CallTree::call_order()). `threads`: forked
    /// threads of the preceding locations, by tree node (forking_first()). The file, the tree and
    /// the threads must outlive this object.
    PathWalk(TraceFile& file, u32 location, u32 number, Times times, CallTree& tree,
             TraceThreads& threads);

    /// Advances to the next record and applies it to the call path; false at the end.
    bool next();

    /// Advances to the next MPI call, as MpiCallReader, and returns its node; kNone at the end.
    u32 next_mpi_call();

    [[nodiscard]] Step step() const { return step_; }
    [[nodiscard]] const RecordBatch::Head& head() const { return stream_.records()[record_ - 1]; }
    [[nodiscard]] std::span<const u64> values() const { return stream_.records().values(head()); }
    [[nodiscard]] const MappingTables& tables() const { return stream_.tables(); }
    /// The region entered or left.
    [[nodiscard]] u64 region() const { return region_; }

    /// The innermost node; kNone: none.
    [[nodiscard]] u32 here() const { return stack_.here(); }
    /// Whether this thread is at the place where another started it, outside of its own regions.
    [[nodiscard]] bool is_attached() const { return stack_.is_attached(); }
    [[nodiscard]] std::size_t depth() const { return stack_.depth(); }
    /// Whether the running task is within an MPI call.
    [[nodiscard]] bool in_mpi_call() const { return stack_.in_mpi_call(); }
    /// Whether the location is within a call of MpiCallReader, maybe of a suspended task.
    [[nodiscard]] bool in_call_of_location() const {
        if (stream_.simply_nests()) return in_mpi_call();
        return record_ != 0 && stream_.in_mpi_call(record_ - 1);
    }

  private:
    void take();
    void take_other();
    /// Call order of a new node.
    [[nodiscard]] u64 next_order() const { return CallTree::call_order(number_, tree_.size()); }

    CallReader stream_;
    u32 number_;
    CallTree& tree_;
    PathStack stack_;
    ThreadTeams teams_;
    std::size_t record_ = 0;  ///< next record of the reader's call
    Step step_ = Step::other;
    u64 region_ = 0;
};

/// True if a location enters only MPI regions: then its calls alone determine call paths and
/// computation. Cost: its symbols.
bool has_mpi_regions_only(TraceFile& file, u32 location);

/// Nodes of the MPI functions of a location that has_mpi_regions_only(): children of the program.
class MpiCallNodes {
  public:
    /// `number`: of the location in the call order (CallTree::call_order()). The tree must outlive
    /// this object. Throws Error(corrupt).
    MpiCallNodes(TraceFile& file, u32 location, u32 number, CallTree& tree, TraceThreads& threads);

    /// The program node; kNone: none.
    [[nodiscard]] u32 program() const { return program_; }
    /// Node of a call with a region.
    [[nodiscard]] u32 of(u64 region);

  private:
    CallTree& tree_;
    u32 number_;
    u32 program_;
    std::vector<u32> nodes_;  ///< by region; kNone: not called yet
};

/// The nodes of a location's MPI calls in the order of MpiCallReader. Unwinds the location again
/// unless has_mpi_regions_only(). Throws Error(corrupt).
class MpiCallPaths {
  public:
    /// Arguments as for PathWalk.
    MpiCallPaths(TraceFile& file, u32 location, u32 number, CallTree& tree, TraceThreads& threads);

    /// Node of the next call.
    u32 next(const MpiCall& call) {
        if (nodes_) return call.region == kNone ? nodes_->program() : nodes_->of(call.region);
        return call.region == kNone ? walk_->here() : walk_->next_mpi_call();
    }
    /// Skips `calls` calls with a region. Cost: that of unwinding them.
    void pass(u64 calls) {
        for (u64 i = 0; walk_ && i < calls; ++i) static_cast<void>(walk_->next_mpi_call());
    }

  private:
    std::optional<MpiCallNodes> nodes_;
    std::optional<PathWalk> walk_;
};

}  // namespace tracefold
