// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/choices.hpp"
#include "graph/flow_graph.hpp"
#include "graph/flow_signature.hpp"
#include "graph/flow_walker.hpp"

#include <map>
#include <utility>

namespace tracefold::inline graph {

/// Puts together what classes of locations do. Cost: linear in the choices, plus for every edge the
/// different uses of it times the classes.
class GraphBuilder {
  public:
    /// `timed`: the choices have ticks.
    explicit GraphBuilder(bool timed) : timed_(timed) {}

    /// What each of the members does.
    void add(const Choices& choices, const ParticipantList& members);
    /// Extremes of the times of what was added last.
    void add_extremes(const FlowWalker& walker);

    /// The graph; its nodes are the signatures of the table. Call once.
    FlowGraph finish(const SignatureTable& table);

  private:
    void add_edges(u32 from, const ChoiceList& list, const ParticipantList& members);
    FlowEdge& edge(u32 from, u32 to);

    bool timed_;
    FlowGraph graph_{2};
    std::map<std::pair<u32, u32>, FlowEdgeId> edges_;
};

}  // namespace tracefold::inline graph
