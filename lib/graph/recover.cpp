// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/recover.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

namespace {

/// The edges out of one node that a participant takes, the next one first.
class Crossing {
  public:
    void add(FlowVertex to, const EdgeSequence& sequence) {
        ways_.push_back({0, to, SequenceCursor(sequence)});
        only_ = sequence.empty();
        if (!only_) advance();
    }

    /// Where the next visit leads to.
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

    /// The last way takes its next turn.
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

}  // namespace tracefold
