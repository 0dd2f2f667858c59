// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/write_graph.hpp"

#include "base/utf8.hpp"
#include "questions/graph/detail/flow_graph.hpp"
#include "questions/graph/flow_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/graph/graphml.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <fmt/core.h>

namespace tracefold {

/// Boxes drawn around nodes, as a tree.
class DotBoxes {
  public:
    struct Box {
        u32 parent = kNone;
        std::string name;
        std::string title;
        std::string colour;
        std::string fill;
        FlowVertex first = 0;  ///< of the enclosed nodes, in program order
    };

    /// `order`: program order. Omits empty boxes.
    DotBoxes(const FlowView& view, const GraphTexts& texts, DotClusters clusters,
             const std::vector<FlowVertex>& order);

    [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }
    /// The innermost box of a node; kNone: none.
    [[nodiscard]] u32 of(FlowVertex v) const { return innermost_[v]; }
    /// The innermost box that encloses both nodes.
    [[nodiscard]] u32 around(FlowVertex a, FlowVertex b) const;

  private:
    template <class Outwards, class Make>
    void add(const std::vector<FlowVertex>& order, const Outwards& outwards, const Make& make);
    void add_loops(const FlowView& view, const GraphTexts& texts,
                   const std::vector<FlowVertex>& order);
    void add_paths(const FlowView& view, const std::vector<FlowVertex>& order);

    std::vector<Box> boxes_;
    std::vector<u32> innermost_;  ///< by vertex
};

namespace {

constexpr const char* kCritical = "#c0392b";
/// Dark enough for text on loop colours.
constexpr const char* kCriticalText = "#9e2b20";
constexpr const char* kPlain = "#5f6b76";
constexpr const char* kRare = "#b9c1c9";
constexpr double kCriticalShare = 0.5;
constexpr double kMostWidth = 3.5;

/// Edges this much rarer than the most frequent one, with negligible time, are background.
constexpr u64 kRareFactor = 100;
constexpr double kRareShare = 0.05;

/// Above this number of edges, Graphviz optimises less, and only the heaviest edges have labels.
constexpr std::size_t kManyEdges = 150;
constexpr std::size_t kMostLabels = 100;
constexpr const char* kLessCare = "nslimit=1, nslimit1=1, mclimit=0.3, ";

/// Text without a frame.
constexpr const char* kBareText = "node [shape=plaintext, style=\"\", width=0, height=0, ";

/// A quoted string; line ends become label line ends, lines are centred.
std::string quoted(const std::string& text, const char* line_end = "\\n") {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? std::string(line_end) : std::string(1, c);
    }
    return out + "\"";
}

/// A quoted string with left-aligned lines.
std::string quoted_left(const std::string& text) { return quoted(text + "\n", "\\l"); }

/// Shades from white to the colour of the use; of functions that the program itself calls, those
/// without time are white.
std::string fill_colour(double share, TimeUse use) {
    const double least = use == TimeUse::computation ? 0 : 0.35;
    const double depth = least + (1 - least) * std::sqrt(share);
    std::string colour(time_use_info(use).light);
    for (std::size_t at = 1; at < colour.size(); at += 2) {
        const int at_one = std::stoi(colour.substr(at, 2), nullptr, 16);
        colour.replace(at, 2,
                       fmt::format("{:02x}", static_cast<int>(255 - (255 - at_one) * depth)));
    }
    return colour;
}

class DotWriter {
  public:
    DotWriter(const FlowView& view, const GraphTexts& texts, DotClusters clusters)
        : view_(view),
          graph_(view.graph),
          loops_(view.loops),
          texts_(texts),
          order_(program_order(view.graph)),
          boxes_(view, texts, clusters, order_) {
        const FlowGraph& graph = graph_;
        const std::vector<u32> innermost = view.loop_of();
        place_.assign(num_vertices(graph), order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
        const bool any_loop = !loops_.empty();
        for (FlowVertex v = 0; v < num_vertices(graph); ++v) {
            if (any_loop && innermost[v] == kNone) continue;
            most_node_ = std::max(most_node_, graph[v].time.total);
        }
        std::vector<std::pair<double, FlowEdgeId>> ranked;
        for (const FlowEdgeId id : boost::make_iterator_range(edges(graph))) {
            timed_ = timed_ || graph[id].time.count != 0;
            most_count_ = std::max(most_count_, graph[id].count);
            const bool inside =
                innermost[source(id, graph)] != kNone && innermost[target(id, graph)] != kNone;
            if (inside || !any_loop) ranked.emplace_back(graph[id].time.total, id);
        }
        find_critical(std::move(ranked));
        find_least_labelled();
    }

    /// Edge labels and box titles are nodes: Graphviz routes edges around nodes, but across labels.
    void write(std::ostream& out) const {
        out << "digraph G {\n";
        head(out);
        // Nodes and edge ends are written in program order.
        for (const FlowVertex v : order_) out << v << ";\n";
        content(out, kNone);
        for (const DotBoxes::Box& box : boxes_.boxes()) put_in_order(out, box);
        for (const FlowVertex v : boost::make_iterator_range(vertices(graph_))) node(out, v);
        for (const FlowEdgeId id : boost::make_iterator_range(edges(graph_))) edge(out, id);
        out << "}\n";
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
            << "nodesep=0.2, ranksep=0.25, label=" << quoted(texts_.title) << "];\n"
            << R"(node [shape=box, style="rounded,filled", fillcolor=white, )"
            << R"(fontname="Helvetica", fontsize=11, margin="0.12,0.06"];)"
            << "\n"
            << R"(edge [fontname="Helvetica", fontsize=9, color=")" << kPlain
            << "\", fontcolor=\"#333333\", arrowsize=0.7];\n";
    }

    /// Writes the direct content of a box (kNone: outside of all boxes).
    void content(std::ostream& out, u32 box) const {
        if (box != kNone) {
            for (const FlowVertex v : order_) {
                if (boxes_.of(v) == box) out << v << ";\n";
            }
        }
        labels(out, box);
        for (u32 inner = 0; inner < boxes_.boxes().size(); ++inner) {
            if (boxes_.boxes()[inner].parent == box) draw_box(out, inner);
        }
    }

    void draw_box(std::ostream& out, u32 number) const {
        const DotBoxes::Box& box = boxes_.boxes()[number];
        out << "subgraph cluster_" << box.name << " {\ngraph [style=\"rounded,filled\", color=\""
            << box.colour << "\", fillcolor=\"" << box.fill << "\", label=\"\"];\n"
            << "{" << kBareText << "fontsize=12, margin=0]; title_" << box.name
            << "[label=" << quoted_left(box.title) << "];}\n";
        content(out, number);
        out << "}\n";
    }

    /// Orders a box title before the box's first node, below the enclosing box's title and below
    /// the predecessors. Written outside of all boxes: an edge moves its nodes into the box it is
    /// in.
    void put_in_order(std::ostream& out, const DotBoxes::Box& box) const {
        const auto below = [&](const auto& above) {
            out << above << "->title_" << box.name << " [style=invis];\n";
        };
        out << "title_" << box.name << "->" << box.first << " [style=invis];\n";
        if (box.parent != kNone) below("title_" + boxes_.boxes()[box.parent].name);
        for (const FlowEdgeId id : boost::make_iterator_range(in_edges(box.first, graph_))) {
            if (place_[source(id, graph_)] < place_[box.first]) below(source(id, graph_));
        }
    }

    /// Writes labels of edges whose innermost common box is this one.
    void labels(std::ostream& out, u32 box) const {
        std::string all;
        for (const FlowEdgeId id : boost::make_iterator_range(edges(graph_))) {
            if (boxes_.around(source(id, graph_), target(id, graph_)) != box) continue;
            const std::string text = label_of(id);
            if (text.empty()) continue;
            all += label_name(id) + "[label=" + quoted(text);
            if (is_critical(id)) all += std::string(", fontcolor=\"") + kCriticalText + "\"";
            all += "];\n";
        }
        if (all.empty()) return;
        out << "{" << kBareText << "fontsize=9, fontcolor=\"#333333\", margin=\"0.03,0.01\"];\n"
            << all << "}\n";
    }

    void node(std::ostream& out, FlowVertex v) const {
        out << v;
        if (v <= kEndVertex) {
            out << "[shape=circle, width=0.2, fixedsize=true, label=\"\", fillcolor="
                << (v == kStartVertex ? "black" : "white")
                << ", tooltip=" << quoted(graph_[v].signature.name) << "];\n";
            return;
        }
        const double share = most_node_ == 0 ? 0 : std::min(1.0, graph_[v].time.total / most_node_);
        const std::string text = texts_.node(v);
        out << "[label=" << (view_.parts[v].size() > 1 ? quoted_left(text) : quoted(text))
            << ", fillcolor=\""
            << fill_colour(share, texts_.use ? texts_.use(v) : TimeUse::computation) << "\"];\n";
    }

    /// Writes an edge in program order: Graphviz need not decide which edges lead back.
    void edge(std::ostream& out, FlowEdgeId id) const {
        FlowVertex first = source(id, graph_);
        FlowVertex last = target(id, graph_);
        const bool back = place_[last] < place_[first];
        if (back) std::swap(first, last);
        const std::string look = look_of(id);
        if (label_of(id).empty()) {
            out << first << "->" << last << " [" << look << (back ? ", dir=back" : "") << "];\n";
            return;
        }
        const std::string label = label_name(id);
        out << first << "->" << label << " [" << look << (back ? ", dir=back" : ", dir=none")
            << "];\n";
        if (first == last) {
            out << first << "->" << label << " [" << look << ", dir=back];\n";
        } else {
            out << label << "->" << last << " [" << look << (back ? ", dir=none" : "") << "];\n";
        }
    }

    [[nodiscard]] std::string look_of(FlowEdgeId id) const {
        if (is_rare(id)) {
            return std::string("penwidth=0.8, arrowsize=0.6, color=\"") + kRare + "\"";
        }
        std::string look =
            fmt::format("penwidth={:.2f}", 1 + (kMostWidth - 1) * std::sqrt(share_of(id)));
        if (is_critical(id)) look.append(", color=\"").append(kCritical).append("\"");
        return look;
    }

    [[nodiscard]] std::string label_name(FlowEdgeId id) const {
        return fmt::format("edge_{}_{}", source(id, graph_), target(id, graph_));
    }

    /// Empty for edges without a label.
    [[nodiscard]] std::string label_of(FlowEdgeId id) const {
        return weight(id) >= least_labelled_ && !is_rare(id) ? texts_.edge(id) : std::string();
    }

    [[nodiscard]] bool is_rare(FlowEdgeId id) const {
        return !is_critical(id) && share_of(id) < kRareShare &&
               graph_[id].count < most_count_ / kRareFactor;
    }

    [[nodiscard]] bool is_critical(FlowEdgeId id) const {
        return critical_.contains({source(id, graph_), target(id, graph_)});
    }

    [[nodiscard]] double share_of(FlowEdgeId id) const {
        const double most = timed_ ? most_edge_ : static_cast<double>(most_count_);
        return most == 0 ? 0 : std::min(1.0, weight(id) / most);
    }

    const FlowView& view_;
    const FlowGraph& graph_;
    const std::vector<FlowLoop>& loops_;
    const GraphTexts& texts_;
    std::vector<FlowVertex> order_;
    std::vector<std::size_t> place_;  ///< position in program order, by vertex
    DotBoxes boxes_;
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

namespace {

constexpr std::array<const char*, 3> kLoopColours{"#eaf2fb", "#d3e4f5", "#bcd6ef"};
constexpr const char* kLoopLine = "#5f6b76";
constexpr const char* kPathColour = "#f4f1e8";
constexpr const char* kPathLine = "#8a8062";
constexpr u32 kMostBoxes = 4;

}  // namespace

DotBoxes::DotBoxes(const FlowView& view, const GraphTexts& texts, DotClusters clusters,
                   const std::vector<FlowVertex>& order)
    : innermost_(num_vertices(view.graph), kNone) {
    if (clusters == DotClusters::loops) add_loops(view, texts, order);
    if (clusters == DotClusters::paths) add_paths(view, order);
}

/// `outwards` returns the enclosing items of a node, innermost first; `make` draws one of them.
template <class Outwards, class Make>
void DotBoxes::add(const std::vector<FlowVertex>& order, const Outwards& outwards,
                   const Make& make) {
    std::map<u32, u32> box_of;
    for (const FlowVertex v : order) {
        const std::vector<u32> around = outwards(v);
        for (auto one = around.rbegin(); one != around.rend(); ++one) {
            const auto [known, fresh] = box_of.emplace(*one, boxes_.size());
            if (fresh) {
                boxes_.push_back(make(*one));
                boxes_.back().parent = innermost_[v];
                boxes_.back().first = v;
            }
            innermost_[v] = known->second;
        }
    }
}

/// A call that follows itself is drawn as an edge, not a box; nesting depth is limited.
void DotBoxes::add_loops(const FlowView& view, const GraphTexts& texts,
                         const std::vector<FlowVertex>& order) {
    const std::vector<u32> loop_of = view.loop_of();
    const auto outwards = [&](FlowVertex v) {
        std::vector<u32> around;
        for (u32 loop = loop_of[v]; loop != kNone; loop = view.loops[loop].parent) {
            const FlowLoop& self = view.loops[loop];
            if (self.depth < kMostBoxes && view.is_box(self)) around.push_back(loop);
        }
        return around;
    };
    add(order, outwards, [&](u32 loop) {
        const FlowLoop& self = view.loops[loop];
        const std::size_t shade = std::min<std::size_t>(self.depth, kLoopColours.size() - 1);
        return Box{kNone, "loop" + std::to_string(loop), texts.loop(self), kLoopLine,
                   kLoopColours[shade]};
    });
}

void DotBoxes::add_paths(const FlowView& view, const std::vector<FlowVertex>& order) {
    const CallPaths& paths = view.graph[boost::graph_bundle].paths;
    const auto outwards = [&](FlowVertex v) {
        std::vector<u32> around;
        if (v <= kEndVertex) return around;
        for (u32 path = view.graph[v].signature.path; path != 0; path = paths.outside(path)) {
            around.push_back(path);
        }
        return around;
    };
    add(order, outwards, [&](u32 path) {
        return Box{kNone, "path" + std::to_string(path), paths.at(path).region, kPathLine,
                   kPathColour};
    });
}

u32 DotBoxes::around(FlowVertex a, FlowVertex b) const {
    u32 outer = of(a);
    u32 inner = of(b);
    // Outer boxes precede inner ones.
    while (outer != inner && outer != kNone && inner != kNone) {
        u32& later = outer > inner ? outer : inner;
        later = boxes_[later].parent;
    }
    return outer == inner ? outer : kNone;
}

namespace {

std::string path_text(const FlowGraph& graph, FlowVertex v) {
    std::string text;
    for (const std::string& region :
         graph[boost::graph_bundle].paths.regions(graph[v].signature.path)) {
        text.append(text.empty() ? "" : "/").append(region);
    }
    return text;
}

/// The sequences of all uses.
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
