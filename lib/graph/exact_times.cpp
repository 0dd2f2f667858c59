// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/exact_times.hpp"

#include "graph/call_nodes.hpp"
#include "trace/call_reader.hpp"

namespace tracefold {

void add_exact_times(FlowGraph& graph, TraceFile& file, ListingSource& source,
                     SignatureSource& signatures, u32 location) {
    CallNodes nodes(source, signatures, location);
    CallReader calls(file, location);
    FlowVertex last = kStartVertex;
    u64 end = 0;
    while (nodes.next() && calls.next()) {
        if (nodes.node() == kNone) continue;
        const FlowVertex node = nodes.node();
        const u64 begin = calls.records()[0].time;
        if (last != kStartVertex) graph[edge(last, node, graph).first].time.add(begin - end);
        end = calls.records()[calls.records().size() - 1].time;
        graph[node].time.add(end - begin);
        last = node;
    }
}

}  // namespace tracefold
