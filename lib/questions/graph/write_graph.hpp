// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/graph/flow_view.hpp"

#include <ostream>

namespace tracefold {

/// Grouping that is drawn as boxes.
enum class DotClusters : u8 { loops, paths, none };

/// Writes the graph in the DOT language. Darker nodes take more time; accelerator kernels, copies
/// and waits have a colour of their own. Edge width shows the total time between the two calls; the
/// fewest edges that make up half of it are red. Both are measured within loops, if there are any.
/// Without times, edge width shows the count. Cost: linear, per loop.
void write_dot(const FlowView& view, const GraphTexts& texts, DotClusters clusters,
               std::ostream& out);

/// "<1,97,3,2> <100,100,0,1>"; repetitions are written as "4 x +10 (...)".
std::string sequence_text(const EdgeSequence& sequence);

/// Writes the graph as GraphML, with attributes of nodes (name, label, path, visits, participants,
/// seconds) and edges (count, participants, seconds, sequence). `tick`: length of a tick in
/// seconds. Cost: linear.
void write_graphml(const FlowGraph& graph, const GraphTexts& texts, double tick, std::ostream& out);

}  // namespace tracefold
