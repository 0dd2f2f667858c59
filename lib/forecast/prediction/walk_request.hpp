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

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// How many times as fast the computation of a call path becomes, by its names.
using SpeedOfPath = std::function<double(const std::string& path)>;

/// The same by node of a call tree, which may grow. Each node is asked for once.
class PathSpeeds {
  public:
    /// All must outlive this object.
    PathSpeeds(const DefinitionIndex& definitions, const CallTree& tree, const SpeedOfPath& speed)
        : definitions_(definitions), tree_(tree), speed_(speed) {}

    /// What a time becomes. Precondition: the node is one of the tree, or kNone.
    [[nodiscard]] i64 of(u32 node, i64 time);

  private:
    const DefinitionIndex& definitions_;
    const CallTree& tree_;
    const SpeedOfPath& speed_;
    std::vector<double> known_;  ///< by node, from 0 for kNone
};

/// Parameters that a program is walked with.
struct Scenario {
    std::array<LinkParameters, kLinkClasses> links;
    u32 speed = kNone;  ///< which of WalkRequest::speeds; kNone: all is computed as recorded
};

struct WalkRequest {
    /// At least one. Events come in the order of the first one in all of them, so that the run time
    /// is a convex function of all parameters.
    std::vector<Scenario> scenarios;
    u64 rendezvous = Network::kNever;
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    std::vector<u32> node_of_rank;                 ///< of the machine
    LinkClass counted = LinkClass::between_nodes;  ///< whose parameters clocks count
    std::vector<SpeedOfPath> speeds;
    bool keeps_path = true;  ///< the critical path of the first scenario is wanted
    /// What causes the waits of the first scenario is wanted. Precondition: keeps_path.
    bool finds_delays = false;
    bool finds_any_source = false;  ///< receives of any source are looked for
    /// By which the path is told, in place of call paths: the node of a cost is the number of a
    /// step, or kNone. Precondition: no speeds, and no delays are wanted.
    const ProgramSteps* steps = nullptr;
};

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
