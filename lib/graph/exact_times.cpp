// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/exact_times.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "graph/call_nodes.hpp"
#include "trace/call_reader.hpp"
#include "trace/location_blocks.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace tracefold {

namespace {

/// Ticks; the sums are whole numbers, so that their order does not matter.
struct TickSum {
    u64 count = 0;
    u64 total = 0;
    u64 minimum = ~u64{0};
    u64 maximum = 0;

    void add(u64 ticks) {
        ++count;
        total += ticks;
        minimum = std::min(minimum, ticks);
        maximum = std::max(maximum, ticks);
    }
    [[nodiscard]] TickSummary summary() const {
        return {count, static_cast<double>(total), minimum, maximum};
    }
};

/// The times that one thread has read.
class GraphTimes {
  public:
    explicit GraphTimes(const SignatureSource& signatures)
        : signatures_(signatures), nodes_(signatures.table().size()) {}

    void add(TraceFile& file, u32 location) {
        CallNodes executions(file.index(), signatures_, location);
        CallReader calls(file, location);
        u32 last = SignatureTable::kStart;
        u64 end = 0;
        while (executions.next() && calls.next()) {
            const u32 node = executions.node();
            if (node == kNone) continue;
            const u64 begin = calls.records()[0].time;
            if (last != SignatureTable::kStart) edge(last, node).add(begin - end);
            end = calls.records()[calls.records().size() - 1].time;
            nodes_.at(node).within.add(end - begin);
            last = node;
        }
    }

    void add_to(FlowGraph& graph) const {
        for (u32 node = 0; node < nodes_.size(); ++node) {
            if (nodes_[node].within.count == 0) continue;
            graph[node].time.add(nodes_[node].within.summary());
            for (const auto& [to, between] : nodes_[node].edges) {
                const auto [edge, known] = boost::edge(node, to, graph);
                if (!known)
                    throw Error(ErrorKind::internal, "an edge was not met in the first walk");
                graph[edge].time.add(between.summary());
            }
        }
    }

  private:
    struct Node {
        TickSum within;
        std::unordered_map<u32, TickSum> edges;  ///< by target
        u32 last_target = kNone;
        TickSum* last_edge = nullptr;
    };

    /// A node is mostly left the same way.
    TickSum& edge(u32 from, u32 to) {
        Node& node = nodes_[from];
        if (node.last_target != to) {
            node.last_edge = &node.edges[to];
            node.last_target = to;
        }
        return *node.last_edge;
    }

    SignatureSource signatures_;
    std::vector<Node> nodes_;
};

}  // namespace

void add_exact_times(FlowGraph& graph, TraceFile& file, const SignatureSource& signatures,
                     const std::vector<u32>& locations, u32 threads) {
    std::mutex mutex;
    std::deque<GraphTimes> times;
    const auto begin = [&] {
        const std::scoped_lock lock(mutex);
        GraphTimes& mine = times.emplace_back(signatures);
        return [&](u32 item) { mine.add(file, locations[item]); };
    };
    run_each_with(useful_threads(file.definitions().locations(), threads), locations.size(), begin);
    for (const GraphTimes& one : times) one.add_to(graph);
}

}  // namespace tracefold
