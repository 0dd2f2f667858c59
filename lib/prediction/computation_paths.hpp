// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/mpi_call_nodes.hpp"
#include "replay/mpi_call.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The MPI calls of a location one after the other, as MpiCallReader passes those that have a
/// region: their call paths and times, and which call paths the time between them went to. A walk
/// with times of its own, unless has_mpi_regions_only(). Throws Error(corrupt).
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
                     TraceThreads& threads);

    /// Goes on to the end of the next MPI call, which has been read with its times if
    /// has_mpi_regions_only(); what it returns after the last one is no call.
    const Call& next(const MpiCall& call);
    /// The node that all regions entered so far lead to; kNone outside of all.
    [[nodiscard]] u32 here() const { return here_; }

    /// What passed outside of MPI calls since clear(), and what was added.
    [[nodiscard]] std::span<const Part> parts() const { return parts_; }
    void add(u32 node, u64 ticks);
    void clear();

  private:
    const Call& next_of_walk();
    /// Goes on to a record at which a call begins (or one ends); false at the end.
    bool seek(bool in_call);

    std::optional<PathWalk> walk_;
    std::optional<MpiCallNodes> nodes_;  ///< in its place if the calls say it all
    Call call_;
    bool started_ = false;
    u64 last_ = 0;  ///< ticks of the last record
    u32 here_ = kNone;
    std::vector<Part> parts_;
    std::vector<u32> part_of_;  ///< by node, from 0 for kNone; kNone if it has none
};

}  // namespace tracefold
