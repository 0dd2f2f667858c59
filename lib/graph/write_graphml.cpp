// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/write_graphml.hpp"

#include "core/utf8.hpp"

#include <boost/graph/graphml.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <fmt/core.h>

namespace tracefold {

namespace {

std::string path_text(const FlowGraph& graph, FlowVertex v) {
    std::string text;
    for (const std::string& region :
         graph[boost::graph_bundle].paths.regions(graph[v].signature.path)) {
        text.append(text.empty() ? "" : "/").append(region);
    }
    return text;
}

/// One use after the other.
std::string sequences_text(const FlowEdge& edge) {
    std::string text;
    for (const FlowUse& use : edge.uses) {
        if (use.sequence.empty()) continue;
        text.append(text.empty() ? "" : "; ").append(sequence_text(use.sequence));
    }
    return text;
}

}  // namespace

std::string sequence_text(const EdgeSequence& sequence) {
    std::string text;
    for (const SequencePart& part : sequence) {
        if (!text.empty()) text += ' ';
        const SequenceTuple& t = part.tuple;
        if (part.inside.empty()) {
            text += fmt::format("<{},{},{},{}>", t.first, t.last, t.stride, t.count);
        } else {
            text +=
                fmt::format("{} x +{} ({})", part.times, part.shift, sequence_text(part.inside));
        }
    }
    return text;
}

void write_graphml(const FlowGraph& graph, const GraphTexts& texts, double tick,
                   std::ostream& out) {
    boost::dynamic_properties all;
    const auto node = [&](const char* name, auto value) {
        all.property(name, boost::make_function_property_map<FlowVertex>(value));
    };
    const auto edge = [&](const char* name, auto value) {
        all.property(name, boost::make_function_property_map<FlowEdgeId>(value));
    };
    node("name", [&](FlowVertex v) { return printable(graph[v].signature.name); });
    node("label", [&](FlowVertex v) {
        return v > kEndVertex ? printable(texts.node(v)) : graph[v].signature.name;
    });
    node("path", [&](FlowVertex v) { return printable(path_text(graph, v)); });
    node("visits", [&](FlowVertex v) { return graph[v].visits; });
    node("participants", [&](FlowVertex v) { return graph[v].participants.size(); });
    node("seconds", [&](FlowVertex v) { return graph[v].time.total * tick; });
    edge("count", [&](FlowEdgeId e) { return graph[e].count; });
    edge("participants", [&](FlowEdgeId e) { return graph[e].participants().size(); });
    edge("seconds", [&](FlowEdgeId e) { return graph[e].time.total * tick; });
    edge("sequence", [&](FlowEdgeId e) { return sequences_text(graph[e]); });
    boost::write_graphml(out, graph, all, true);
}

}  // namespace tracefold
