// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/network.hpp"
#include "prediction/path_speeds.hpp"
#include "schedules/schedule.hpp"
#include "steps/program_steps.hpp"

#include <array>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
