// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/graph/flow_view.hpp"

#include <ostream>

namespace tracefold {

/// What is drawn as boxes around nodes.
enum class DotClusters : u8 { loops, paths, none };

/// Writes the graph in the language of Graphviz. Nodes are the darker the more time goes by in
/// them, in a colour of their own what kernels, copies and waits for an accelerator are; edges are
/// as wide as the time between the two calls is long in total, and the fewest that make up half of
/// it are red: both measured within the loops, if there are any. Without times, edges are as wide
/// as they are frequent. Cost: linear, for every loop.
void write_dot(const FlowView& view, const GraphTexts& texts, DotClusters clusters,
               std::ostream& out);

/// "<1,97,3,2> <100,100,0,1>"; what comes again and again stands as "4 x +10 (...)".
std::string sequence_text(const EdgeSequence& sequence);

/// Writes the graph as GraphML, with the attributes of nodes (name, label, path, visits,
/// participants, seconds) and edges (count, participants, seconds, sequence); `tick` is the length
/// of a tick in seconds. Cost: linear.
void write_graphml(const FlowGraph& graph, const GraphTexts& texts, double tick, std::ostream& out);

}  // namespace tracefold
