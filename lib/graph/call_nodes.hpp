// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/location_cursor.hpp"
#include "fold/structure_index.hpp"
#include "graph/flow_graph.hpp"
#include "graph/signature_source.hpp"
#include "query/listing_source.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// The executions of a location one by one, with the nodes that they are: the plain way, which
/// unwinds everything. It proves what the graph says, and it is the way to exact times.
class CallNodes {
  public:
    /// What is referred to must outlive this object.
    CallNodes(StructureIndex& index, SignatureSource& signatures, u32 location);

    /// Goes to the next execution; false at the end.
    bool next();
    /// The node; kNone for symbols that are none.
    [[nodiscard]] u32 node() const { return node_; }

  private:
    void pick_values(const std::vector<u32>& wanted);

    StructureIndex& index_;
    SignatureSource& signatures_;
    LocationCursor cursor_;
    u32 symbol_ = 0;
    u32 node_ = kNone;
    FlowPosition position_;
    AppendBuffer<u64> values_;
    std::vector<u64> picked_;
};

/// Compares the sequence that the graph gives for a participant with the executions of the trace,
/// unwound one by one. Nothing if they are equal, else the place (from 0) of the first difference.
/// The graph must have been built with the same signatures. Cost: some 100 ns per event.
std::optional<u64> first_difference(const FlowGraph& graph, ListingSource& source,
                                    SignatureSource& signatures, u32 location);

}  // namespace tracefold
