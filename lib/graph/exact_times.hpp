// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/signature_source.hpp"
#include "query/listing_source.hpp"
#include "trace/trace_file.hpp"

namespace tracefold {

/// Adds the times of a participant's calls to the nodes, and those between them to the edges. The
/// graph must have been built with the same signatures and have no other times. Cost: unwinds the
/// location with its times. Throws Error(corrupt). Precondition: keeps_every_time() of the file's
/// timing level.
void add_exact_times(FlowGraph& graph, TraceFile& file, ListingSource& source,
                     SignatureSource& signatures, u32 location);

}  // namespace tracefold
