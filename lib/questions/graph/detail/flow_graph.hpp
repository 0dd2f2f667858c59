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

/// How long something takes: ticks.
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

/// The durations of a TimingModel for the participants of a class: means over them, and extremes
/// over all locations. The model must outlive this object.
class ModelTimes {
  public:
    ModelTimes(const TimingModel& model, const std::vector<u32>& members);

    /// From the end of a symbol's execution to the begin of the next.
    [[nodiscard]] TickSummary between(u32 from, u32 to) const;
    /// An execution of a symbol.
    [[nodiscard]] TickSummary within(u32 symbol) const;

  private:
    std::unordered_map<u64, TickSummary> between_;
    std::unordered_map<u32, TickSummary> within_;
};

/// An event, for all locations that execute it.
struct FlowNode {
    Signature signature;
    ParticipantList participants;  ///< locations
    u64 visits = 0;                ///< of all of them
    TickSummary time;              ///< of the calls; count 0: not known
};

/// What one transition is to participants for which it is the same.
struct FlowUse {
    ParticipantList participants;
    u64 count = 0;          ///< of each
    EdgeSequence sequence;  ///< empty if they always leave the node this way
};

/// A transition from one event to the next.
struct FlowEdge {
    std::vector<FlowUse> uses;  ///< by first participant; the participants are disjoint
    u64 count = 0;              ///< of all participants together
    TickSummary time;           ///< between the two events; count 0: not known

    [[nodiscard]] ParticipantList participants() const;
};

/// About the graph as a whole.
struct FlowFacts {
    std::vector<ParticipantList> classes;  ///< locations with the same graph, by first of them
    CallPaths paths;
};

/// An event flow graph (Aguilar, Fuerlinger, Laure: Euro-Par 2014) of one location or several.
/// Vertices 0 and 1 are the start and the end. With the sequences on its edges it holds the whole
/// order of events of every participant.
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, FlowNode,
                                        FlowEdge, FlowFacts>;
using FlowVertex = FlowGraph::vertex_descriptor;
using FlowEdgeId = FlowGraph::edge_descriptor;

inline constexpr FlowVertex kStartVertex = SignatureTable::kStart;
inline constexpr FlowVertex kEndVertex = SignatureTable::kEnd;

/// Figures of a graph, without its start and end.
struct FlowStatistics {
    u64 events = 0;  ///< of all participants
    u64 nodes = 0;
    u64 edges = 0;
    u64 branches = 0;     ///< nodes with more than one edge out, to whatever participant
    u64 cardinality = 0;  ///< most edges out of one node
    u64 tuples = 0;       ///< in the sequences, each once for all who share it
    /// Edges out of a node on average.
    [[nodiscard]] double mean_cardinality() const {
        return nodes == 0 ? 0 : static_cast<double>(edges) / static_cast<double>(nodes);
    }
};

FlowStatistics statistics_of(const FlowGraph& graph);

/// All vertices that the start leads to in the direction of the program: reverse postorder from the
/// start, along the most frequent edges first. Cost: linear, and sorting the edges of each node.
std::vector<FlowVertex> program_order(const FlowGraph& graph);

}  // namespace tracefold
