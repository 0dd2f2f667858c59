// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"
#include "query/thread_forks.hpp"
#include "trace/region_stack.hpp"

namespace tracefold {

/// The nodes of a call tree that a location is in. Nodes that are no region, such as the program,
/// are not ended by a Leave of their own.
class PathStack {
  public:
    /// The tree must outlive the stack.
    explicit PathStack(CallTree& tree) : tree_(tree) {}

    /// The innermost node; kNone outside of all.
    [[nodiscard]] u32 here() const { return stack_.empty() ? kNone : stack_.back().node; }
    [[nodiscard]] bool empty() const { return stack_.empty(); }
    [[nodiscard]] std::size_t depth() const { return stack_.open().size(); }
    /// True at the place at which another thread started this one, outside of all own regions.
    [[nodiscard]] bool is_attached() const {
        return !stack_.empty() && stack_.back().region == kAttached;
    }
    /// The node of the program that the location is in; kNone outside of all.
    [[nodiscard]] u32 program() const {
        u32 node = here();
        while (node != kNone && tree_[node].parent != kNone) node = tree_[node].parent;
        return node != kNone && tree_[node].kind == CallTree::Kind::program ? node : kNone;
    }
    [[nodiscard]] bool in_mpi_call() const { return stack_.in_mpi_call(); }

    /// Adds the node to the tree; `first` as in CallTree::add().
    void enter(CallTree::Kind kind, u64 ref, u64 first, bool is_mpi = false) {
        const u32 node = tree_.add(here(), kind, ref, first);
        stack_.enter({kind == CallTree::Kind::region ? ref : kNoRegion, node}, is_mpi);
    }
    /// The same for the region of an explicit task, whose tree is its own.
    void enter_task(u64 region, u64 first) {
        stack_.enter({kTask, tree_.add(kNone, CallTree::Kind::tasks, 0, first)}, false);
        enter(CallTree::Kind::region, region, first);
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
    static constexpr u64 kNoRegion = ~u64{0};
    static constexpr u64 kAttached = ~u64{1};
    static constexpr u64 kTask = ~u64{2};

    struct OpenNode {
        u64 region;
        u32 node;
    };

    CallTree& tree_;
    RegionStack<OpenNode> stack_;
};

}  // namespace tracefold
