// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/path_walk.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// The MPI calls of a location one after the other, as MpiCallReader passes those that have a
/// region: their call paths and times, and which call paths the time between them went to. A walk
/// with times. Throws Error(corrupt).
class ComputationPaths {
  public:
    struct Part {
        u32 node = kNone;
        u64 ticks = 0;
    };
    struct Call {
        u32 node = kNone;
        u64 begin = 0;  ///< raw ticks
        u64 end = 0;
    };

    /// `number` of the location in the order of calls (CallTree::call_order()). The file, the tree
    /// and the threads must outlive this object.
    ComputationPaths(TraceFile& file, u32 location, u32 number, CallTree& tree,
                     TraceThreads& threads)
        : walk_(file, location, number, Times::read, tree, threads) {}

    /// Goes on to the end of the next MPI call; what it returns after the last one is no call.
    const Call& next();
    /// The node that all regions entered so far lead to; kNone outside of all.
    [[nodiscard]] u32 here() const { return here_; }

    /// What passed outside of MPI calls since clear(), and what was added.
    [[nodiscard]] std::span<const Part> parts() const { return parts_; }
    void add(u32 node, u64 ticks);
    void clear();

  private:
    /// Goes on to a record at which a call begins (or one ends); false at the end.
    bool seek(bool in_call);

    PathWalk walk_;
    Call call_;
    bool started_ = false;
    u64 last_ = 0;  ///< ticks of the last record
    u32 here_ = kNone;
    std::vector<Part> parts_;
    std::vector<u32> part_of_;  ///< by node, from 0 for kNone; kNone if it has none
};

}  // namespace tracefold
