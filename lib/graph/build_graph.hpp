// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/signature_source.hpp"
#include "query/listing_source.hpp"
#include "trace/trace_file.hpp"

namespace tracefold::inline graph {

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

}  // namespace tracefold::inline graph
