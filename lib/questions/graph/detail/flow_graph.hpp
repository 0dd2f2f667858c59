// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/participants.hpp"
#include "model/timing_model.hpp"
#include "questions/graph/detail/edge_sequence.hpp"
#include "questions/graph/signature_source.hpp"

#include <unordered_map>
#include <vector>

#include <boost/graph/adjacency_list.hpp>

namespace tracefold {

/// Duration in ticks.
struct TickSummary {
    u64 count = 0;
    double total = 0;
    u64 minimum = ~u64{0};
    u64 maximum = 0;

    void add(const TickSummary& other);
    bool operator==(const TickSummary&) const = default;
    [[nodiscard]] double mean() const {
        return count == 0 ? 0 : total / static_cast<double>(count);
    }
};

/// Durations of a TimingModel for the participants of a class: means over the class, extremes over
/// all locations. The model must outlive this object.
class ModelTimes {
  public:
    ModelTimes(const TimingModel& model, const std::vector<u32>& members);

    /// From the end of a symbol's execution to the begin of the next one.
    [[nodiscard]] TickSummary between(u32 from, u32 to) const;
    /// Time of an execution of a symbol.
    [[nodiscard]] TickSummary within(u32 symbol) const;

  private:
    std::unordered_map<u64, TickSummary> between_;
    std::unordered_map<u32, TickSummary> within_;
};

/// An event, over all locations that execute it.
struct FlowNode {
    Signature signature;
    ParticipantList participants;  ///< locations
    u64 visits = 0;                ///< over all participants
    TickSummary time;              ///< of the calls; count 0: unknown
};

/// A transition as taken by participants that take it identically.
struct FlowUse {
    ParticipantList participants;
    u64 count = 0;          ///< per participant
    EdgeSequence sequence;  ///< empty if they leave the node only this way
};

/// A transition from one event to the next.
struct FlowEdge {
    std::vector<FlowUse> uses;  ///< by first participant; participants are disjoint
    u64 count = 0;              ///< over all participants
    TickSummary time;           ///< between the two events; count 0: unknown

    [[nodiscard]] ParticipantList participants() const;
};

/// Properties of the whole graph.
struct FlowFacts {
    std::vector<ParticipantList> classes;  ///< locations with the same graph, by first location
    CallPaths paths;
};

/// An event flow graph (Aguilar, Fuerlinger, Laure: Euro-Par 2014) of one or several locations.
/// Vertices 0 and 1 are start and end. The sequences on the edges encode the complete event order
/// of every participant.
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, FlowNode,
                                        FlowEdge, FlowFacts>;
using FlowVertex = FlowGraph::vertex_descriptor;
using FlowEdgeId = FlowGraph::edge_descriptor;

inline constexpr FlowVertex kStartVertex = SignatureTable::kStart;
inline constexpr FlowVertex kEndVertex = SignatureTable::kEnd;

/// Figures of a graph, excluding its start and end.
struct FlowStatistics {
    u64 events = 0;  ///< over all participants
    u64 nodes = 0;
    u64 edges = 0;
    u64 branches = 0;     ///< nodes with several outgoing edges, over all participants
    u64 cardinality = 0;  ///< maximum out-degree
    u64 tuples = 0;       ///< in the sequences; shared sequences count once
    /// Mean out-degree.
    [[nodiscard]] double mean_cardinality() const {
        return nodes == 0 ? 0 : static_cast<double>(edges) / static_cast<double>(nodes);
    }
};

FlowStatistics statistics_of(const FlowGraph& graph);

/// Vertices reachable from the start in reverse postorder, following the most frequent edges first.
/// Cost: linear, plus sorting the edges of each node.
std::vector<FlowVertex> program_order(const FlowGraph& graph);

}  // namespace tracefold
