// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/path_walk.hpp"
#include "replay/mpi_call.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// True if a location enters no regions but those of MPI, so that its calls alone say where they
/// are made, and their times what it computed. Cost: its symbols.
bool has_mpi_regions_only(TraceFile& file, u32 location);

/// The nodes of MPI functions of a location that has_mpi_regions_only(): all are below the program.
class MpiCallNodes {
  public:
    /// `number` of the location in the order of calls (CallTree::call_order()). The tree must
    /// outlive this object. Throws Error(corrupt).
    MpiCallNodes(TraceFile& file, u32 location, u32 number, CallTree& tree, TraceThreads& threads);

    /// The program; kNone if there is none.
    [[nodiscard]] u32 program() const { return program_; }
    /// Of a call that has a region.
    [[nodiscard]] u32 of(u64 region);

  private:
    CallTree& tree_;
    u32 number_;
    u32 program_;
    std::vector<u32> nodes_;  ///< by region; kNone: not called yet
};

/// The node of every MPI call of a location, one after the other, as MpiCallReader passes the
/// calls. Unwinds the location once more unless has_mpi_regions_only(). Throws Error(corrupt).
class MpiCallPaths {
  public:
    /// As PathWalk.
    MpiCallPaths(TraceFile& file, u32 location, u32 number, CallTree& tree, TraceThreads& threads);

    /// Of the next call.
    u32 next(const MpiCall& call) {
        if (nodes_) return call.region == kNone ? nodes_->program() : nodes_->of(call.region);
        return call.region == kNone ? walk_->here() : walk_->next_mpi_call();
    }
    /// Passes so many calls that have a region. Cost: as that of unwinding them.
    void pass(u64 calls) {
        for (u64 i = 0; walk_ && i < calls; ++i) static_cast<void>(walk_->next_mpi_call());
    }

  private:
    std::optional<MpiCallNodes> nodes_;
    std::optional<PathWalk> walk_;
};

}  // namespace tracefold
