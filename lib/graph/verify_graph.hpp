// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/signature_source.hpp"
#include "query/listing_source.hpp"

#include <optional>

namespace tracefold::inline graph {

/// Compares the sequence that the graph gives for a participant with the executions of the trace,
/// unwound one by one. Nothing if they are equal, else the place (from 0) of the first difference.
/// The graph must have been built with the same signatures. Cost: some 100 ns per event.
std::optional<u64> first_difference(const FlowGraph& graph, ListingSource& source,
                                    SignatureSource& signatures, u32 location);

}  // namespace tracefold::inline graph
