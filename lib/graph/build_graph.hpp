// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/flow_walker.hpp"
#include "graph/signature_source.hpp"
#include "query/listing_source.hpp"
#include "trace/trace_file.hpp"

#include <map>
#include <utility>

namespace tracefold {

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

/// Locations whose scripts, counts and arguments are the same, as far as a graph shows them, by
/// first location. Locations without events are in none. Cost: locations x arguments of the
/// signatures.
std::vector<ParticipantList> flow_classes(ListingSource& source, const SignatureSource& signatures,
                                          const std::vector<bool>& selected);

/// The graph of all members of some classes. Times are those of the file's model, if it has one.
/// Cost: the folded size per class where the program is regular (FlowWalker), else its events.
/// Throws Error(corrupt).
FlowGraph build_graph(TraceFile& file, ListingSource& source, SignatureSource& signatures,
                      std::vector<ParticipantList> classes);

}  // namespace tracefold
