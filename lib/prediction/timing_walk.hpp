// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/moment.hpp"
#include "prediction/network.hpp"
#include "prediction/rank_operations.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What time goes to.
enum class CostKind : u8 {
    computation,  ///< as recorded, or faster
    recorded,     ///< calls that the model does not know, as recorded
    latency,      ///< L
    overhead,     ///< o, and O for each byte
    gap,          ///< g
    bytes,        ///< G for each byte
};
inline constexpr std::size_t kCostKinds = 6;

/// A part of the critical path.
struct PathCost {
    u32 rank = 0;
    u32 node = kNone;  ///< of the call tree; kNone: outside of all regions
    CostKind kind{};
    i64 time = 0;  ///< picoseconds
};

/// Parameters that a program is walked with.
struct Scenario {
    std::array<LinkParameters, kLinkClasses> links;
    u32 speed = kNone;  ///< which of WalkRequest::speeds; kNone: all is computed as recorded
};

struct WalkRequest {
    /// At least one. Where several messages wait to be received at once, they are received in the
    /// order in which they come in the first scenario, in all of them: so the run time is a convex
    /// function of all parameters.
    std::vector<Scenario> scenarios;
    u64 rendezvous = Network::kNever;
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    std::vector<u32> node_of_rank;                 ///< of the machine
    LinkClass counted = LinkClass::between_nodes;  ///< whose parameters clocks count
    /// Each says how many times as fast the computation of a call path becomes.
    std::vector<std::function<double(const std::string&)>> speeds;
};

struct WalkResult {
    /// Of the rank that ends last, by scenario.
    struct End {
        Clock clock;
        u32 rank = 0;
    };
    std::vector<End> ends;
    std::vector<PathCost> path;   ///< in the first scenario; its times add up to the run time
    double recorded_seconds = 0;  ///< between MPI_Init and MPI_Finalize of all ranks
    std::map<std::string, UnmodelledCalls> unmodelled;
    bool has_threads = false;  ///< that call MPI
    u64 calls = 0;
    u64 messages = 0;
};

/// Walks the operations of all ranks forward, each as soon as what it needs is there. Messages and
/// their receives go together as they were recorded. The survey must be that of the file; the tree
/// gets its call paths. Throws Error: corrupt; unsupported if ranks wait for each other because
/// large messages wait for their receives. Cost: two readings of all records, and for each message
/// the scenarios. Memory: what is outstanding.
WalkResult walk_timing(TraceFile& file, const ExportSurvey& survey, const WalkRequest& request,
                       CallTree& tree);

}  // namespace tracefold
