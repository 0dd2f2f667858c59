// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/network.hpp"
#include "model/definition_index.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/program_steps.hpp"
#include "mpi/schedule.hpp"
#include "questions/profile/call_tree.hpp"
#include "questions/profile/path_walk.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Speed-up of a call path's computation, by its names.
using SpeedOfPath = std::function<double(const std::string& path)>;

/// Speed-ups by node of a growing call tree. Evaluates each node once.
class PathSpeeds {
  public:
    /// The arguments must outlive this object.
    PathSpeeds(const DefinitionIndex& definitions, const CallTree& tree, const SpeedOfPath& speed)
        : definitions_(definitions), tree_(tree), speed_(speed) {}

    /// Scales a time. Precondition: the node is in the tree, or kNone.
    [[nodiscard]] i64 of(u32 node, i64 time);

  private:
    const DefinitionIndex& definitions_;
    const CallTree& tree_;
    const SpeedOfPath& speed_;
    std::vector<double> known_;  ///< by node, from 0 for kNone
};

/// Parameters of a simulated run.
struct Scenario {
    std::vector<LinkParameters> links;  ///< by level of the network
    u32 speed = kNone;  ///< index into WalkRequest::speeds; kNone: computation as recorded
};

struct WalkRequest {
    /// At least one. All use the event order of the first: the run time is then a convex function
    /// of all parameters.
    std::vector<Scenario> scenarios;
    u64 rendezvous = Network::kNever;
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    RankLevels levels;
    u32 counted = 0;  ///< level whose parameters clocks count
    std::vector<SpeedOfPath> speeds;
    bool keeps_path = true;  ///< compute the critical path of the first scenario
    /// Compute causes of waits in the first scenario. Precondition: keeps_path.
    bool finds_delays = false;
    bool finds_any_source = false;  ///< find wildcard receives
    /// Whether all members of an all-to-all operation whose pairs are unknown exchange messages;
    /// else none do.
    bool fills_matrices = true;
    /// Attributes path costs to steps instead of call paths: a cost's node is a step number, or
    /// kNone. Precondition: neither speeds nor delays.
    const ProgramSteps* steps = nullptr;
    Times times = Times::read;
};

/// Iterates over a location's MPI calls with a region, in the order of MpiCallReader: their call
/// paths and times, and the call paths of the time between them. Walks the records separately
/// unless has_mpi_regions_only(). Throws Error(corrupt).
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

    /// `number`: of the location in the call order (CallTree::call_order()). The file, the tree and
    /// the threads must outlive this object.
    ComputationPaths(TraceFile& file, u32 location, u32 number, Times times, CallTree& tree,
                     TraceThreads& threads);

    /// Advances to the end of the next MPI call; `call` needs times if has_mpi_regions_only().
    /// After the last call, the result is no call.
    const Call& next(const MpiCall& call);
    /// The node of the regions entered so far; kNone: outside of all.
    [[nodiscard]] u32 here() const { return here_; }

    /// Times outside of MPI calls since clear(), and added ones.
    [[nodiscard]] std::span<const Part> parts() const { return parts_; }
    void add(u32 node, u64 ticks);
    void clear();

  private:
    const Call& next_of_walk();
    /// Advances to a record at which a call begins (or ends); false at the end.
    bool seek(bool in_call);

    std::optional<PathWalk> walk_;
    std::optional<MpiCallNodes> nodes_;  ///< replaces the walk if the calls suffice
    Call call_;
    bool started_ = false;
    u64 last_ = 0;  ///< ticks of the last record
    u32 here_ = kNone;
    std::vector<Part> parts_;
    std::vector<u32> part_of_;  ///< by node, from 0 for kNone; kNone if it has none
};

}  // namespace tracefold
