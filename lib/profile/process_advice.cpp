// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/process_advice.hpp"

#include "analysis/transfers.hpp"
#include "profile/folded_paths.hpp"
#include "profile/profile_metric.hpp"
#include "stats/moments.hpp"

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

/// The node, its place in the table of paths, its name, its owner, and what holds its summaries.
constexpr u64 kTreeBytes = 350;
constexpr u64 kLocationBytes = 100;

/// Metrics that a script can have bytes in: 0, 2, 4 or 6.
u64 byte_metrics(const TraceFile& file, const std::set<u32>& scripts) {
    bool messages = false;
    bool collectives = false;
    bool files = false;
    for (const u32 script : scripts) {
        for (const u32 symbol : file.structure().scripts[script].symbols) {
            for (const Element& element : file.structure().symbols[symbol].elements) {
                const auto type = static_cast<EventType>(element.type);
                messages = messages || type == EventType::MpiSend || type == EventType::MpiIsend ||
                           type == EventType::MpiRecv || type == EventType::MpiIrecvRequest ||
                           type == EventType::MpiMrecv || type == EventType::MpiImrecv;
                collectives = collectives || type == EventType::MpiCollectiveEnd ||
                              type == EventType::NonBlockingCollectiveRequest;
                files = files || type == EventType::IoOperationComplete;
            }
        }
    }
    return (messages ? 2U : 0U) + (collectives ? 2U : 0U) + (files ? 2U : 0U);
}

/// Nodes that are functions of MPI or have some below.
u64 nodes_with_mpi(const DefinitionIndex& definitions, const CallTree& tree) {
    std::vector<bool> has(tree.size(), false);
    u64 count = 0;
    for (u32 node = tree.size(); node-- > 0;) {
        const CallTree::Node& it = tree[node];
        const bool mpi = it.kind == CallTree::Kind::region && definitions.is_mpi_region(it.ref);
        has[node] = has[node] || mpi;
        if (!has[node]) continue;
        ++count;
        if (it.parent != kNone) has[it.parent] = true;
    }
    return count;
}

}  // namespace

ProcessAdvice advise_processes(TraceFile& file, const std::vector<bool>& selected, bool with_times,
                               u64 limit) {
    ProcessAdvice advice;
    std::set<u32> scripts;
    std::set<std::pair<u32, bool>> walks;  // by script and whether it is that of a stream
    for (u32 location = 0; location < selected.size(); ++location) {
        if (!selected[location]) continue;
        ++advice.locations;
        const u32 script = file.index().script(Stream::events, location);
        if (script == kNone) continue;
        scripts.insert(script);
        walks.emplace(script, file.definitions().locations()[location].is_stream());
    }
    CallTree tree;
    for (const auto& [script, on_stream] : walks) {
        const FoldedPaths paths(file, script, 0, on_stream);
        tree.merge(paths.tree());
        advice.complete = advice.complete && paths.is_complete();
    }
    advice.call_paths = tree.size();
    const u64 own_metrics = with_times ? 2 : 1;
    const u64 bytes = byte_metrics(file, scripts);
    const u64 with_mpi = nodes_with_mpi(file.definitions(), tree);
    advice.rows = advice.call_paths * own_metrics + with_mpi * bytes;
    // Inclusive and exclusive; bytes of both kinds together, too.
    const u64 summaries = 2 * (advice.rows + (bytes == 0 ? 0 : 2 * with_mpi));
    advice.fixed_bytes = advice.call_paths * kTreeBytes + advice.locations * kLocationBytes +
                         summaries * sizeof(Moments);
    advice.shared_bytes = advice.rows * advice.locations * sizeof(u64) +
                          advice.call_paths * advice.locations * sizeof(NodeValues);
    if (advice.fixed_bytes >= limit) return advice;
    const u64 left = limit - advice.fixed_bytes;
    const u64 processes = std::max<u64>(1, (advice.shared_bytes + left - 1) / left);
    if (processes <= std::max<u64>(1, advice.call_paths)) advice.processes = processes;
    return advice;
}

}  // namespace tracefold
