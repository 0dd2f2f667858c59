// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"
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
    [[nodiscard]] bool in_mpi_call() const { return stack_.in_mpi_call(); }

    /// Adds the node to the tree; `first` as in CallTree::add().
    void enter(CallTree::Kind kind, u64 ref, u64 first, bool is_mpi = false) {
        const u32 node = tree_.add(here(), kind, ref, first);
        stack_.enter({kind == CallTree::Kind::region ? ref : kNoRegion, node}, is_mpi);
    }
    void leave(u64 region) { stack_.leave(region); }
    /// Leaves the innermost node. Precondition: there is one.
    void pop() { stack_.pop(); }
    void clear() { stack_.clear(); }

  private:
    static constexpr u64 kNoRegion = ~u64{0};

    struct OpenNode {
        u64 region;
        u32 node;
    };

    CallTree& tree_;
    RegionStack<OpenNode> stack_;
};

}  // namespace tracefold
