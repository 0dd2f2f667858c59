// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_view.hpp"

#include <ostream>

namespace tracefold {

/// "<1,97,3,2> <100,100,0,1>"; what comes again and again stands as "4 x +10 (...)".
std::string sequence_text(const EdgeSequence& sequence);

/// Writes the graph as GraphML, with the attributes of nodes (name, label, path, visits,
/// participants, seconds) and edges (count, participants, seconds, sequence); `tick` is the length
/// of a tick in seconds. Cost: linear.
void write_graphml(const FlowGraph& graph, const GraphTexts& texts, double tick, std::ostream& out);

}  // namespace tracefold
