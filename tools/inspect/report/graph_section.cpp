// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "inspect/graph/graph.hpp"
#include "inspect/report/sections.hpp"

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Nodes that fit on a page.
constexpr std::size_t kMostDrawnNodes = 40;

/// Calls and where they are made: with arguments, the graph of many ranks is too wide for a page.
constexpr SignatureParts kSignature{false, false, false};

std::string edges_csv(const LoadedGraph& loaded) {
    const FlowGraph& graph = loaded.graph();
    std::string csv = "from,to,count\n";
    for (const FlowEdgeId edge : boost::make_iterator_range(edges(graph))) {
        csv +=
            fmt::format("{},{},{}\n", csv_field(loaded.full_text(graph[source(edge, graph)])),
                        csv_field(loaded.full_text(graph[target(edge, graph)])), graph[edge].count);
    }
    return csv;
}

}  // namespace

void put_graph(ReportPage& page, ReportSource& source) {
    page.begin("Event flow graph", "graph");
    const LoadedGraph loaded(source.file, source.name, {}, kSignature, source.keeps_every_time());
    if (const std::optional<std::string> svg = draw_graph(loaded, {{}, kMostDrawnNodes})) {
        page.note(
            fmt::format("Which call follows which; boxes are calls, arrows say how often one "
                        "follows the other per location. The {} most important nodes at most.",
                        kMostDrawnNodes));
        page.picture(*svg);
    } else {
        page.note(
            "There is no picture, since Graphviz was not installed where the report was "
            "made; the data is here.");
    }
    page.data("graph.csv", edges_csv(loaded));
    page.end();
    page.explain(
        "event flow graph",
        "Nodes are calls with the regions around them, edges lead from a call to the next one "
        "(Aguilar, Fuerlinger, Laure: Euro-Par 2014).");
}

}  // namespace tracefold
