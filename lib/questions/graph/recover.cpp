// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/recover.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "file/call_reader.hpp"
#include "file/location_blocks.hpp"
#include "model/symbol.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tracefold {

namespace {

/// Edges that a participant takes out of one node, ordered by next visit.
class Crossing {
  public:
    void add(FlowVertex to, const EdgeSequence& sequence) {
        ways_.push_back({0, to, SequenceCursor(sequence)});
        only_ = sequence.empty();
        if (!only_) advance();
    }

    /// Target of the next visit.
    FlowVertex next() {
        ++visit_;
        if (ways_.empty() || (only_ && ways_.size() > 1)) lost();
        if (only_) return ways_.front().to;
        if (ways_.front().visit != visit_) lost();
        const FlowVertex to = ways_.front().to;
        std::pop_heap(ways_.begin(), ways_.end(), later);
        advance();
        return to;
    }

  private:
    struct Way {
        u64 visit;
        FlowVertex to;
        SequenceCursor cursor;
    };

    static bool later(const Way& a, const Way& b) { return a.visit > b.visit; }

    [[noreturn]] static void lost() {
        throw Error(ErrorKind::internal, "the sequences of a graph do not lead to its end");
    }

    /// Advances the last way to its next visit.
    void advance() {
        Way& way = ways_.back();
        if (way.cursor.next(way.visit)) {
            std::push_heap(ways_.begin(), ways_.end(), later);
        } else {
            ways_.pop_back();
        }
    }

    std::vector<Way> ways_;  ///< a heap
    u64 visit_ = 0;
    bool only_ = false;
};

}  // namespace

void recover(const FlowGraph& graph, u32 location, const std::function<void(FlowVertex)>& sink) {
    std::vector<Crossing> crossings(num_vertices(graph));
    for (const FlowEdgeId edge : boost::make_iterator_range(edges(graph))) {
        for (const FlowUse& use : graph[edge].uses) {
            if (!use.participants.contains(location)) continue;
            crossings[source(edge, graph)].add(target(edge, graph), use.sequence);
        }
    }
    for (FlowVertex at = crossings[kStartVertex].next(); at != kEndVertex;
         at = crossings[at].next()) {
        sink(at);
    }
}

CallNodes::CallNodes(StructureIndex& index, SignatureSource& signatures, u32 location)
    : index_(index),
      signatures_(signatures),
      cursor_(index, Stream::events, location),
      position_(signatures.start(location)) {}

bool CallNodes::next() {
    if (!cursor_.next(symbol_, values_)) return false;
    pick_values(signatures_.leaf(symbol_).slots);
    node_ = signatures_.step(symbol_, picked_, position_);
    return true;
}

/// Repeated slots have as many values as their count says.
void CallNodes::pick_values(const std::vector<u32>& wanted) {
    picked_.clear();
    const std::vector<Slot>& slots = index_.slots(symbol_);
    std::size_t at = 0;
    SlotValues slot_values;
    auto next = wanted.begin();
    for (u32 slot = 0; slot < slots.size() && next != wanted.end(); ++slot) {
        if (slot == *next) {
            picked_.push_back(values_[at]);
            ++next;
        }
        at += slot_values.count(slots[slot].shape, values_.data() + at);
    }
}

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

namespace {

/// Outgoing edges of one node.
class Exits {
  public:
    void leave(FlowVertex to) {
        if (run_ != 0 && to != to_) close();
        to_ = to;
        ++run_;
    }

    /// Adds the tuples to the edges, by first position.
    void pass(FlowVertex from, std::vector<RankEdge>& edges) {
        if (run_ != 0) close();
        const bool branch = ways_.size() > 1;
        const auto begin = static_cast<std::ptrdiff_t>(edges.size());
        for (const Way& way : ways_) {
            for (const RunTuple& tuple : way.tuples) {
                RankEdge edge{from, way.to, std::nullopt, tuple.positions() * tuple.count};
                if (branch) edge.tuple = tuple;
                edges.push_back(edge);
            }
        }
        if (!branch) return;
        std::sort(edges.begin() + begin, edges.end(), [](const RankEdge& a, const RankEdge& b) {
            return a.tuple->first < b.tuple->first;
        });
    }

  private:
    struct Way {
        FlowVertex to;
        std::vector<RunTuple> tuples;
    };

    void close() {
        auto way = std::ranges::find(ways_, to_, &Way::to);
        if (way == ways_.end()) way = ways_.insert(way, Way{to_, {}});
        append(way->tuples, ++position_, run_);
        run_ = 0;
    }

    std::vector<Way> ways_;
    FlowVertex to_ = 0;
    u64 run_ = 0;  ///< consecutive uses of the current exit
    u64 position_ = 0;
};

}  // namespace

void append(std::vector<RunTuple>& tuples, u64 position, u64 count) {
    if (!tuples.empty() && tuples.back().count == count) {
        RunTuple& last = tuples.back();
        const u64 stride = position - last.last;
        if (last.stride == 0 || last.stride == stride) {
            last.stride = stride;
            last.last = position;
            return;
        }
    }
    tuples.push_back({position, position, 0, count});
}

RankGraph rank_graph(const FlowGraph& graph, u32 location) {
    RankGraph result;
    std::vector<Exits> exits(num_vertices(graph));
    std::vector<bool> known(num_vertices(graph), false);
    FlowVertex before = kStartVertex;
    recover(graph, location, [&](FlowVertex node) {
        if (before != kStartVertex) exits[before].leave(node);
        if (!known[node]) result.nodes.push_back(node);
        known[node] = true;
        before = node;
        ++result.events;
    });
    for (const FlowVertex node : result.nodes) exits[node].pass(node, result.edges);
    return result;
}

namespace {

/// Ticks as integer sums: independent of the order of summation.
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

/// Times that one thread collected.
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

    /// Checks the last edge first: most nodes have one frequent exit.
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
