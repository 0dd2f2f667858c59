// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/write_dot.hpp"

#include "graph/program_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <boost/graph/graphviz.hpp>

namespace tracefold {

namespace {

constexpr std::array<const char*, 3> kLoopColours{"#eaf2fb", "#d3e4f5", "#bcd6ef"};
constexpr const char* kPathColour = "#f4f1e8";
constexpr const char* kCritical = "#c0392b";
constexpr const char* kPlain = "#5f6b76";
constexpr const char* kRare = "#b9c1c9";
constexpr double kCriticalShare = 0.5;
constexpr u32 kMostBoxes = 4;
constexpr double kMostWidth = 3.5;

/// Edges that are taken this much less often than the most frequent one, and that take next to no
/// time, stand in the background.
constexpr u64 kRareFactor = 100;
constexpr double kRareShare = 0.05;

/// With more edges than this, Graphviz takes less care, and only the heaviest have labels.
constexpr std::size_t kManyEdges = 150;
constexpr std::size_t kMostLabels = 100;
constexpr const char* kLessCare = "nslimit=1, nslimit1=1, mclimit=0.3, ";

/// A string between quotes; line ends stay line ends of a label, whose lines are centred.
std::string quoted(const std::string& text, const char* line_end = "\\n") {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? std::string(line_end) : std::string(1, c);
    }
    return out + "\"";
}

/// The same with lines that begin at the left.
std::string quoted_left(const std::string& text) { return quoted(text + "\n", "\\l"); }

/// The same with blanks around every line, which keep it off the edge that it belongs to.
std::string quoted_apart(const std::string& text) {
    return text.empty() ? quoted(text) : quoted("  " + text + "  ", "  \\n  ");
}

/// From white to orange.
std::string fill_colour(double share) {
    const auto channel = [share](double at_one) {
        return static_cast<int>(255 - (255 - at_one) * std::sqrt(share));
    };
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", channel(250), channel(176),
                  channel(90));
    return text.data();
}

std::string decimal(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", number);
    return text.data();
}

class DotWriter {
  public:
    DotWriter(const FlowView& view, const GraphTexts& texts, DotClusters clusters)
        : view_(view),
          graph_(view.graph),
          loops_(view.loops),
          texts_(texts),
          clusters_(clusters),
          order_(program_order(view.graph)),
          innermost_(view.loop_of()) {
        const FlowGraph& graph = graph_;
        const bool any_loop = !loops_.empty();
        for (FlowVertex v = 0; v < num_vertices(graph); ++v) {
            if (any_loop && innermost_[v] == kNone) continue;
            most_node_ = std::max(most_node_, graph[v].time.total);
        }
        std::vector<std::pair<double, FlowEdgeId>> ranked;
        for (const FlowEdgeId id : boost::make_iterator_range(edges(graph))) {
            timed_ = timed_ || graph[id].time.count != 0;
            most_count_ = std::max(most_count_, graph[id].count);
            const bool inside =
                innermost_[source(id, graph)] != kNone && innermost_[target(id, graph)] != kNone;
            if (inside || !any_loop) ranked.emplace_back(graph[id].time.total, id);
        }
        find_critical(std::move(ranked));
        find_least_labelled();
    }

    void write(std::ostream& out) const {
        boost::write_graphviz(
            out, graph_, [this](std::ostream& o, FlowVertex v) { node(o, v); },
            [this](std::ostream& o, FlowEdgeId e) { edge(o, e); },
            [this](std::ostream& o) { head(o); });
    }

  private:
    void find_critical(std::vector<std::pair<double, FlowEdgeId>> ranked) {
        std::stable_sort(ranked.begin(), ranked.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        most_edge_ = ranked.empty() ? 0 : ranked.front().first;
        double total = 0;
        for (const auto& [ticks, id] : ranked) total += ticks;
        double sum = 0;
        for (const auto& [ticks, id] : ranked) {
            if (ticks == 0 || sum >= kCriticalShare * total) break;
            sum += ticks;
            critical_.insert({source(id, graph_), target(id, graph_)});
        }
    }

    [[nodiscard]] double weight(FlowEdgeId id) const {
        return timed_ ? graph_[id].time.total : static_cast<double>(graph_[id].count);
    }

    void find_least_labelled() {
        if (num_edges(graph_) <= kManyEdges) return;
        std::vector<double> weights;
        for (const FlowEdgeId id : boost::make_iterator_range(edges(graph_))) {
            weights.push_back(weight(id));
        }
        std::nth_element(weights.begin(), weights.begin() + kMostLabels, weights.end(),
                         std::greater<>());
        least_labelled_ = weights[kMostLabels];
    }

    void head(std::ostream& out) const {
        out << "graph [fontname=\"Helvetica\", fontsize=12, labelloc=b, newrank=true, "
            << (num_edges(graph_) > kManyEdges ? kLessCare : "")
            << "nodesep=0.3, "
               "ranksep=0.45, "
               "label="
            << quoted(texts_.title) << "];\n"
            << "node [shape=box, style=\"rounded,filled\", fillcolor=white, "
               "fontname=\"Helvetica\", "
               "fontsize=11, margin=\"0.12,0.06\"];\n"
            << "edge [fontname=\"Helvetica\", fontsize=9, color=\"" << kPlain
            << "\", fontcolor=\"#333333\", arrowsize=0.7];\n";
        // Graphviz goes through nodes in the order of their mention to decide which edges lead
        // back.
        for (const FlowVertex v : order_) out << v << ";\n";
        if (clusters_ == DotClusters::loops) loops(out, kNone);
        if (clusters_ == DotClusters::paths) path(out, 0);
    }

    /// The loops right inside of one (kNone: inside of none).
    void loops(std::ostream& out, u32 outer) const {
        for (u32 i = 0; i < loops_.size(); ++i) {
            if (loops_[i].parent == outer && is_box(i)) loop(out, i);
        }
    }

    /// A call that follows itself is no box but an edge; nor are boxes nested without end.
    [[nodiscard]] bool is_box(u32 loop) const {
        return loops_[loop].depth < kMostBoxes && view_.is_box(loops_[loop]);
    }

    [[nodiscard]] u32 box_of(FlowVertex v) const {
        u32 loop = innermost_[v];
        while (loop != kNone && !is_box(loop)) loop = loops_[loop].parent;
        return loop;
    }

    void loop(std::ostream& out, u32 number) const {
        const FlowLoop& loop = loops_[number];
        out << "subgraph cluster_loop" << number << " {\ngraph [style=\"rounded,filled\", color=\""
            << kPlain << "\", fillcolor=\""
            << kLoopColours[std::min<std::size_t>(loop.depth, kLoopColours.size() - 1)]
            << "\", labelloc=t, labeljust=l, fontsize=12, label=" << quoted_left(texts_.loop(loop))
            << "];\n";
        for (const FlowVertex v : order_) {
            if (box_of(v) == number) out << v << ";\n";
        }
        loops(out, number);
        out << "}\n";
    }

    void path(std::ostream& out, u32 number) const {
        const CallPaths& paths = graph_[boost::graph_bundle].paths;
        if (number != 0) {
            out << "subgraph cluster_path" << number << " {\ngraph [style=\"rounded,filled\", "
                << "color=\"#8a8062\", fillcolor=\"" << kPathColour
                << "\", labelloc=t, labeljust=l, fontsize=12, label="
                << quoted(paths.at(number).region) << "];\n";
        }
        for (const FlowVertex v : order_) {
            if (v > kEndVertex && graph_[v].signature.path == number) out << v << ";\n";
        }
        for (u32 inner = number + 1; inner < paths.size(); ++inner) {
            if (paths.at(inner).parent == number) path(out, inner);
        }
        if (number != 0) out << "}\n";
    }

    void node(std::ostream& out, FlowVertex v) const {
        if (v <= kEndVertex) {
            out << "[shape=circle, width=0.2, fixedsize=true, label=\"\", fillcolor="
                << (v == kStartVertex ? "black" : "white")
                << ", tooltip=" << quoted(graph_[v].signature.name) << "]";
            return;
        }
        const double share = most_node_ == 0 ? 0 : std::min(1.0, graph_[v].time.total / most_node_);
        const std::string text = texts_.node(v);
        out << "[label=" << (view_.parts[v].size() > 1 ? quoted_left(text) : quoted(text))
            << ", fillcolor=\"" << fill_colour(share) << "\"]";
    }

    void edge(std::ostream& out, FlowEdgeId id) const {
        const bool critical = critical_.count({source(id, graph_), target(id, graph_)}) != 0;
        const double most = timed_ ? most_edge_ : static_cast<double>(most_count_);
        const double share = most == 0 ? 0 : std::min(1.0, weight(id) / most);
        if (!critical && share < kRareShare && graph_[id].count < most_count_ / kRareFactor) {
            out << "[penwidth=0.8, arrowsize=0.6, color=\"" << kRare << "\"]";
            return;
        }
        out << "[label=" << (is_labelled(id) ? quoted_apart(texts_.edge(id)) : quoted(""))
            << ", penwidth=" << decimal(1 + (kMostWidth - 1) * std::sqrt(share));
        if (critical) out << ", color=\"" << kCritical << "\", fontcolor=\"" << kCritical << "\"";
        out << "]";
    }

    [[nodiscard]] bool is_labelled(FlowEdgeId id) const { return weight(id) >= least_labelled_; }

    const FlowView& view_;
    const FlowGraph& graph_;
    const std::vector<FlowLoop>& loops_;
    const GraphTexts& texts_;
    DotClusters clusters_;
    std::vector<FlowVertex> order_;
    std::vector<u32> innermost_;
    double most_node_ = 0;
    double most_edge_ = 0;
    u64 most_count_ = 0;
    bool timed_ = false;
    double least_labelled_ = 0;
    std::set<std::pair<FlowVertex, FlowVertex>> critical_;
};

}  // namespace

void write_dot(const FlowView& view, const GraphTexts& texts, DotClusters clusters,
               std::ostream& out) {
    DotWriter(view, texts, clusters).write(out);
}

}  // namespace tracefold
