// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/verify_graph.hpp"

#include "graph/call_nodes.hpp"
#include "graph/recover.hpp"

namespace tracefold::inline graph {

std::optional<u64> first_difference(const FlowGraph& graph, ListingSource& source,
                                    SignatureSource& signatures, u32 location) {
    CallNodes calls(source.index(), signatures, location);
    const auto next_node = [&calls] {
        while (calls.next()) {
            if (calls.node() != kNone) return calls.node();
        }
        return SignatureTable::kEnd;
    };
    u64 place = 0;
    std::optional<u64> difference;
    recover(graph, location, [&](FlowVertex node) {
        if (!difference && next_node() != node) difference = place;
        ++place;
    });
    if (!difference && next_node() != SignatureTable::kEnd) difference = place;
    return difference;
}

}  // namespace tracefold::inline graph
