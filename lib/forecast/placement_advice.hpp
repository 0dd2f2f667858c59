// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "forecast/network.hpp"
#include "forecast/placement.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Traffic between vertices, both directions together.
class TrafficGraph {
  public:
    struct Edge {
        u32 from = 0;
        u32 to = 0;
        u64 bytes = 0;
    };
    struct Neighbour {
        u32 vertex = 0;
        u64 bytes = 0;
    };

    /// Adds up edges between the same vertices, and discards those from a vertex to itself and
    /// those without bytes. Cost: O(edges log(edges)).
    TrafficGraph(u32 vertices, std::vector<Edge> edges);

    [[nodiscard]] u32 size() const { return static_cast<u32>(first_.size()) - 1; }
    [[nodiscard]] std::span<const Neighbour> neighbours(u32 vertex) const {
        return {neighbours_.data() + first_[vertex], first_[vertex + 1] - first_[vertex]};
    }
    /// Bytes between vertices of different parts.
    [[nodiscard]] u64 cut(std::span<const u32> part_of) const;
    /// The graph of the parts.
    [[nodiscard]] TrafficGraph contracted(std::span<const u32> part_of, u32 parts) const;

  private:
    std::vector<std::size_t> first_;  ///< by vertex
    std::vector<Neighbour> neighbours_;
};

/// Divides the vertices into parts of given sizes, with few bytes between parts: the best of the
/// given parts, of blocks of a Cartesian grid that the traffic shows, and of halves of halves, each
/// improved by exchanges of two vertices (Kernighan, Lin: 1970).
/// `part_of`: on entry parts of these sizes; on return parts with at most as many bytes between
/// them. Deterministic. Cost: about O(edges log(vertices)), and the part sizes per exchange.
void improve_parts(const TrafficGraph& graph, std::span<const u32> sizes,
                   std::vector<u32>& part_of);

/// An order of ranks with less traffic across levels.
struct PlacementAdvice {
    /// Bytes of messages of a level.
    struct Traffic {
        u64 before = 0;
        u64 after = 0;
    };

    std::vector<u32> order;  ///< ranks by core, node after node
    std::vector<Traffic> levels;
};

/// Searches an order of the ranks for the point-to-point messages of the trace: the ranks of nodes
/// first, then the nodes of each outer level, if all nodes have as many ranks, and the ranks of
/// each inner one. No level boundary is crossed by more bytes than in the given placement. Throws
/// Error(unsupported) if ranks send no bytes to each other. Cost: that of visit_transfers() and
/// improve_parts().
PlacementAdvice advise_placement(TraceFile& file, const Network& network,
                                 const Placement& placement);

}  // namespace tracefold
