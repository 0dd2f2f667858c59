// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/signature_source.hpp"
#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// Adds the times of the calls of some participants to the nodes, and those between them to the
/// edges. The graph must have been built from these participants with the same signatures and have
/// no other times. `threads`: those that read locations; 0 for one per core where there are events
/// enough. The result does not depend on it. Cost: unwinds the locations with their times. Memory:
/// the nodes and edges for each thread. Throws Error(corrupt). Precondition: keeps_every_time() of
/// the file's timing level.
void add_exact_times(FlowGraph& graph, TraceFile& file, const SignatureSource& signatures,
                     const std::vector<u32>& locations, u32 threads = 1);

}  // namespace tracefold
