// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/output_format.hpp"
#include "inspect/graph/graph.hpp"

#include <array>
#include <cstdlib>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Six digits exceed the precision of times.
double six_digits(double number) {
    return std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr);
}

class GraphJson {
  public:
    GraphJson(const LoadedGraph& loaded, const FlowView& view, std::ostream& out, JsonLayout layout)
        : loaded_(loaded), view_(view), graph_(view.graph), json_(out, layout) {}

    void write() {
        const FlowFacts& facts = graph_[boost::graph_bundle];
        begin_document(json_, "graph").member("file", loaded_.path());
        json_.key("classes").begin_array();
        for (const ParticipantList& members : facts.classes) locations(members);
        json_.end_array();
        json_.key("paths").begin_array();
        for (u32 path = 0; path < facts.paths.size(); ++path) write_path(facts.paths.at(path));
        json_.end_array();
        json_.key("nodes").begin_array();
        for (FlowVertex v = 0; v < num_vertices(graph_); ++v) write_node(v);
        json_.end_array();
        json_.key("edges").begin_array();
        for (FlowVertex v = 0; v < num_vertices(graph_); ++v) {
            for (const FlowEdgeId edge : boost::make_iterator_range(out_edges(v, graph_))) {
                write_edge(edge);
            }
        }
        json_.end_array();
        write_loops();
        json_.end_object();
    }

  private:
    void write_loops() {
        const GraphTexts texts = graph_texts(loaded_, view_);
        write_objects("loops", view_.loops, json_, [&](const FlowLoop& loop) {
            if (loop.parent != kNone) json_.member("parent", loop.parent);
            json_.member("entries", loop.entries).member("iterations", loop.iterations);
            if (loaded_.has_times())
                json_.member("seconds", six_digits(loaded_.seconds(loop.ticks)));
            const std::string text = texts.loop(loop);
            json_.member("text", text.substr(0, text.find('\n')));
            write_list("nodes", loop.nodes, json_);
        });
    }

    void write_path(const CallPaths::Path& path) {
        json_.begin_object()
            .member("parent", path.parent)
            .member("region", path.region)
            .end_object();
    }

    void locations(const ParticipantList& list) {
        json_.begin_array();
        for (const ParticipantList::Run& run : list.runs()) {
            json_.begin_array().value(run.start).value(run.stride).value(run.count).end_array();
        }
        json_.end_array();
    }

    void time(const TickSummary& time) {
        if (time.count == 0) return;
        json_.key("time").begin_object();
        const auto add = [this](std::string_view name, double ticks) {
            json_.member(name, six_digits(loaded_.seconds(ticks)));
        };
        add("total", time.total);
        add("mean", time.mean());
        add("minimum", static_cast<double>(time.minimum));
        add("maximum", static_cast<double>(time.maximum));
        json_.end_object();
    }

    void write_node(FlowVertex v) {
        const FlowNode& node = graph_[v];
        json_.begin_object().member("name", node.signature.name);
        if (v > kEndVertex) {
            json_.member("kind", kind_name(node.signature.kind))
                .member("path", node.signature.path);
            write_objects("arguments", node.signature.arguments, json_, [&](const auto& argument) {
                json_.member("name", argument.name);
                json_.member("value", loaded_.argument(node, argument));
            });
            if (node.signature.context != kNone) json_.member("after", node.signature.context);
            json_.member("visits", node.visits);
            json_.key("locations");
            locations(node.participants);
            time(node.time);
        }
        json_.end_object();
    }

    void write_edge(FlowEdgeId id) {
        const FlowEdge& edge = graph_[id];
        json_.begin_object().member("from", source(id, graph_)).member("to", target(id, graph_));
        json_.member("count", edge.count);
        time(edge.time);
        write_objects("uses", edge.uses, json_, [&](const FlowUse& use) {
            json_.key("locations");
            locations(use.participants);
            json_.member("count", use.count);
            if (!use.sequence.empty()) {
                json_.key("sequence");
                sequence(use.sequence);
            }
        }).end_object();
    }

    void sequence(const EdgeSequence& parts) {
        json_.begin_array();
        for (const SequencePart& part : parts) {
            if (part.inside.empty()) {
                const SequenceTuple& t = part.tuple;
                json_.begin_array().value(t.first).value(t.last).value(t.stride).value(t.count);
                json_.end_array();
                continue;
            }
            json_.begin_object().member("times", part.times).member("shift", part.shift);
            json_.key("sequence");
            sequence(part.inside);
            json_.end_object();
        }
        json_.end_array();
    }

    const LoadedGraph& loaded_;
    const FlowView& view_;
    const FlowGraph& graph_;
    JsonWriter json_;
};

}  // namespace

void write_graph_json(const LoadedGraph& loaded, const FlowView& view, std::ostream& out,
                      JsonLayout layout) {
    GraphJson(loaded, view, out, layout).write();
}

}  // namespace tracefold
