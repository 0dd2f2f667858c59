// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/text.hpp"
#include "graph/rank_graph.hpp"
#include "inspect/graph/graph.hpp"

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Places of the nodes in a rank's graph, from 1, by vertex.
std::vector<std::size_t> numbers_of(const RankGraph& graph, std::size_t vertices) {
    std::vector<std::size_t> numbers(vertices, 0);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) numbers[graph.nodes[i]] = i + 1;
    return numbers;
}

/// The labels of the paper: "10" of an only way out, "3,10" of one position, "<1,5,2,10>" of more.
std::string label_of(const RankEdge& edge) {
    if (!edge.tuple) return std::to_string(edge.count);
    const RunTuple& t = *edge.tuple;
    if (t.stride == 0) return fmt::format("{},{}", t.first, t.count);
    return fmt::format("<{},{},{},{}>", t.first, t.last, t.stride, t.count);
}

/// "rank 3"; "@7" outside of MPI.
std::string rank_text(const std::string& label) {
    return label.starts_with('@') ? label : "rank " + label;
}

void print_graph(const LoadedGraph& loaded, const RankGraph& graph, const std::string& label,
                 std::ostream& out) {
    out << fmt::format("{}: {} nodes, {} edges, {} events, cardinality {:.2f}\n", label,
                       graph.nodes.size(), graph.edges.size(), graph.events,
                       graph.mean_cardinality());
    const auto numbers = numbers_of(graph, num_vertices(loaded.graph()));
    for (const FlowVertex node : graph.nodes) {
        out << numbers[node] << ' ' << printable(loaded.full_text(loaded.graph()[node])) << '\n';
    }
    for (const RankEdge& edge : graph.edges) {
        out << numbers[edge.from] << " -> " << numbers[edge.to] << ' ' << label_of(edge) << '\n';
    }
}

void write_rank_graph(const LoadedGraph& loaded, const RankGraph& graph, u32 location,
                      JsonWriter& json) {
    json.begin_object()
        .member("location", location)
        .member("label", loaded.names().label(location));
    json.member("events", graph.events).member("cardinality", graph.mean_cardinality());
    json.key("nodes").begin_array();
    for (const FlowVertex node : graph.nodes) json.value(loaded.full_text(loaded.graph()[node]));
    json.end_array().key("edges").begin_array();
    const auto numbers = numbers_of(graph, num_vertices(loaded.graph()));
    for (const RankEdge& edge : graph.edges) {
        json.begin_object().member("from", numbers[edge.from] - 1);
        json.member("to", numbers[edge.to] - 1).member("count", edge.count);
        if (edge.tuple) {
            json.key("tuple").begin_array().value(edge.tuple->first).value(edge.tuple->last);
            json.value(edge.tuple->stride).value(edge.tuple->count).end_array();
        }
        json.end_object();
    }
    json.end_array().end_object();
}

}  // namespace

void print_graph_tuples(const LoadedGraph& loaded, Console& console) {
    if (!console.json()) {
        for (const u32 location : loaded.locations()) {
            print_graph(loaded, rank_graph(loaded.graph(), location),
                        rank_text(loaded.names().label(location)), console.out());
        }
        return;
    }
    JsonWriter json = begin_document(console, "graph_tuples");
    json.member("file", loaded.path());
    json.key("graphs").begin_array();
    for (const u32 location : loaded.locations()) {
        write_rank_graph(loaded, rank_graph(loaded.graph(), location), location, json);
    }
    json.end_array().end_object();
}

}  // namespace tracefold
