// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"
#include "query/thread_forks.hpp"
#include "query/thread_regions.hpp"
#include "trace/region_stack.hpp"
#include "trace/task_stacks.hpp"

namespace tracefold {

/// The nodes of a call tree that a location is in. Nodes that are no region, such as the program,
/// are not ended by a Leave of their own.
class PathStack {
  public:
    /// All must outlive the stack. With `regions` those of explicit tasks begin trees of their own.
    explicit PathStack(CallTree& tree, const ThreadRegions* regions = nullptr)
        : tree_(tree), regions_(regions) {}

    /// The innermost node; kNone outside of all.
    [[nodiscard]] u32 here() const { return stack_.empty() ? kNone : stack_.back().node; }
    [[nodiscard]] bool empty() const { return stack_.empty(); }
    [[nodiscard]] std::size_t depth() const { return stack_.open().size(); }
    /// True at the place at which another thread started this one, outside of all own regions.
    [[nodiscard]] bool is_attached() const {
        return !stack_.empty() && stack_.back().region == kAttached;
    }
    [[nodiscard]] bool in_mpi_call() const { return stack_.in_mpi_call(); }

    /// Adds the node to the tree; `first` as in CallTree::add().
    void enter(CallTree::Kind kind, u64 ref, u64 first, bool is_mpi = false) {
        const u32 node = tree_.add(here(), kind, ref, first);
        stack_.enter({kind == CallTree::Kind::region ? ref : kOther, node}, is_mpi);
    }
    /// The same for a region. That of an explicit task has a tree of its own, as all have that an
    /// explicit task enters outside of others.
    void enter_region(u64 region, bool is_mpi, u64 first) {
        const bool begins_task =
            (stack_.in_task() && empty()) || (regions_ != nullptr && regions_->is_task(region));
        if (begins_task) {
            stack_.enter({kTask, tree_.add(kNone, CallTree::Kind::tasks, 0, first)}, false);
        }
        enter(CallTree::Kind::region, region, first, is_mpi);
    }
    /// Goes on with another task.
    void change_task(const TaskChange& change, u64 first) {
        if (change.from_task) stack_.end_task();
        if (!change.to_task) return;
        stack_.begin_task();
        for (const OpenVisit& visit : change.resumed) {
            enter_region(visit.region, visit.is_mpi, first);
        }
    }
    void leave(u64 region) {
        stack_.leave(region);
        while (!empty() && stack_.back().region == kTask) stack_.pop();
    }
    /// Goes on below a node of the tree that another thread is in, or back from there.
    void change(const ThreadTeams::Change& change) {
        using Change = ThreadTeams::Change;
        if (change.kind == Change::Kind::attach) stack_.enter({kAttached, change.place}, false);
        if (change.kind == Change::Kind::detach) stack_.leave(kAttached);
    }
    /// Leaves the innermost node. Precondition: there is one.
    void pop() { stack_.pop(); }
    void clear() { stack_.clear(); }

  private:
    static constexpr u64 kOther = ~u64{3};
    static constexpr u64 kAttached = ~u64{1};
    static constexpr u64 kTask = ~u64{2};

    struct OpenNode {
        u64 region;
        u32 node;
    };

    CallTree& tree_;
    const ThreadRegions* regions_;
    RegionStack<OpenNode> stack_;
};

}  // namespace tracefold
