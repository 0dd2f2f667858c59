// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/flow_view.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <boost/pending/disjoint_sets.hpp>

namespace tracefold {

/// Disjoint sets of view vertices; each set becomes one node.
using ViewGroups = boost::disjoint_sets_with_storage<>;

/// How the parts of grouped nodes are combined: concatenated, or merged into one part of a kind.
enum class PartRule : u8 { chain, calls, loop, others };

/// The view with one node per group. `inner`: edges in a group that disappear. Cost: linear, per
/// loop.
FlowView grouped(const FlowView& view, ViewGroups& groups, PartRule rule,
                 const std::function<bool(FlowEdgeId)>& inner);

namespace {

/// Whether `a` has more time, or without times more visits.
bool is_heavier(const FlowNode& a, const FlowNode& b) {
    return std::pair(a.time.total, a.visits) > std::pair(b.time.total, b.visits);
}

}  // namespace

std::size_t FlowView::size_of(FlowVertex v) const {
    std::size_t size = 0;
    for (const ViewPart& part : parts[v]) size += part.nodes.size();
    return size;
}

bool FlowView::is_box(const FlowLoop& loop) const {
    std::size_t size = 0;
    for (const FlowVertex v : loop.nodes) size += size_of(v);
    return size > 1;
}

std::vector<u32> FlowView::loop_of() const {
    std::vector<u32> innermost(num_vertices(graph), kNone);
    for (u32 loop = 0; loop < loops.size(); ++loop) {
        if (!is_box(loops[loop])) continue;
        for (const FlowVertex v : loops[loop].nodes) innermost[v] = loop;
    }
    return innermost;
}

FlowView whole_view(const FlowGraph& graph) {
    FlowView view{&graph, graph, {}, find_loops(graph)};
    for (FlowVertex v = 0; v < num_vertices(graph); ++v) {
        view.parts.push_back({{ViewPart::Kind::calls, {v}}});
    }
    return view;
}

FlowView collapse_loops(const FlowView& view, u32 depth) {
    ViewGroups groups(num_vertices(view.graph));
    std::vector<bool> joined(num_vertices(view.graph), false);
    for (const FlowLoop& loop : view.loops) {
        if (loop.depth != depth || loop.nodes.size() < 2) continue;
        for (const FlowVertex v : loop.nodes) {
            groups.union_set(loop.nodes.front(), v);
            joined[v] = true;
        }
    }
    return grouped(view, groups, PartRule::loop,
                   [&](FlowEdgeId id) { return joined[source(id, view.graph)]; });
}

FlowView keep_top(const FlowView& view, std::size_t most) {
    const FlowGraph& graph = view.graph;
    std::vector<FlowVertex> ranked(num_vertices(graph) -
                                   std::min<std::size_t>(2, num_vertices(graph)));
    std::iota(ranked.begin(), ranked.end(), FlowVertex{2});
    std::stable_sort(ranked.begin(), ranked.end(), [&graph](FlowVertex a, FlowVertex b) {
        return is_heavier(graph[a], graph[b]);
    });
    std::vector<bool> kept(num_vertices(graph), false);
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) kept[ranked[i]] = true;
    kept[kStartVertex] = kept[kEndVertex] = true;
    ViewGroups groups(num_vertices(graph));
    std::vector<bool> joined(num_vertices(graph), false);
    for (const FlowEdgeId edge : boost::make_iterator_range(edges(graph))) {
        const FlowVertex from = source(edge, graph);
        const FlowVertex to = target(edge, graph);
        if (kept[from] || kept[to] || from == to) continue;
        groups.union_set(from, to);
        joined[from] = joined[to] = true;
    }
    return grouped(view, groups, PartRule::others,
                   [&](FlowEdgeId id) { return joined[source(id, graph)]; });
}

namespace {

std::vector<u32> numbers_of(ViewGroups& groups, std::size_t vertices) {
    std::map<FlowVertex, u32> numbers;
    std::vector<u32> group_of;
    for (FlowVertex v = 0; v < vertices; ++v) {
        const FlowVertex group = groups.find_set(v);
        group_of.push_back(numbers.emplace(group, static_cast<u32>(numbers.size())).first->second);
    }
    return group_of;
}

void add_parts(std::vector<ViewPart>& group, const std::vector<ViewPart>& parts, PartRule rule) {
    if (group.empty() || rule == PartRule::chain) {
        group.insert(group.end(), parts.begin(), parts.end());
        return;
    }
    const auto append = [&group](const ViewPart& part) {
        std::vector<FlowVertex>& nodes = group.front().nodes;
        nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    };
    const std::vector<ViewPart> rest(group.begin() + 1, group.end());
    for (const ViewPart& part : rest) append(part);
    for (const ViewPart& part : parts) append(part);
    group.resize(1);
    if (rule == PartRule::loop) group.front().kind = ViewPart::Kind::loop;
    if (rule == PartRule::others) group.front().kind = ViewPart::Kind::others;
}

/// Loops over groups; omits loops that contain only part of a group.
std::vector<FlowLoop> grouped(std::vector<FlowLoop> loops, const std::vector<u32>& group_of,
                              std::size_t groups) {
    for (FlowLoop& loop : loops) {
        std::vector<bool> outside(groups, false);
        std::size_t next = 0;
        for (FlowVertex v = 0; v < group_of.size(); ++v) {
            const bool inside = next < loop.nodes.size() && loop.nodes[next] == v;
            if (inside) ++next;
            outside[group_of[v]] = outside[group_of[v]] || !inside;
        }
        loop.nodes.clear();
        for (FlowVertex v = 0; v < groups; ++v) {
            if (!outside[v]) loop.nodes.push_back(v);
        }
    }
    return loops;
}

/// Adds a node to a group, which then represents `size` nodes.
void add_node(FlowNode& group, const FlowNode& node, u64 size) {
    group.participants.unite(node.participants);
    group.visits += node.visits;
    group.time.add(node.time);
    Signature& signature = group.signature;
    signature.arguments.clear();
    if (signature.kind == node.signature.kind && signature.name == node.signature.name) return;
    signature.kind = CallKind::record;
    signature.name = std::to_string(size) + " nodes";
}

void add_edge_to(FlowEdge& sum, const FlowEdge& edge) {
    sum.count += edge.count;
    sum.time.add(edge.time);
    for (const FlowUse& use : edge.uses) {
        if (sum.uses.empty()) sum.uses.emplace_back();
        sum.uses.front().participants.unite(use.participants);
    }
}

/// Contracts every group of nodes to one node. `group_of`: group number by vertex, from 0 without
/// gaps; the first two are start and end. Merged nodes lose their arguments; unless they are the
/// same call, the node is a record named after their number. Times of `inner` edges are added to
/// the group; parallel edges are merged; sequences are lost. Cost: linear.
FlowGraph contract(const FlowGraph& graph, const std::vector<u32>& group_of,
                   const std::function<bool(FlowEdgeId)>& inner) {
    const u32 groups = *std::max_element(group_of.begin(), group_of.end()) + 1;
    FlowGraph out(groups);
    out[boost::graph_bundle] = graph[boost::graph_bundle];
    std::vector<u64> sizes(groups, 0);
    for (FlowVertex v = 0; v < group_of.size(); ++v) {
        FlowNode& group = out[group_of[v]];
        if (++sizes[group_of[v]] == 1) {
            group = graph[v];
        } else {
            add_node(group, graph[v], sizes[group_of[v]]);
        }
    }
    std::map<std::pair<u32, u32>, FlowEdgeId> known;
    for (const FlowEdgeId id : boost::make_iterator_range(edges(graph))) {
        const u32 from = group_of[source(id, graph)];
        const u32 to = group_of[target(id, graph)];
        if (from == to && inner(id)) {
            out[from].time.total += graph[id].time.total;
            continue;
        }
        auto edge = known.find({from, to});
        if (edge == known.end()) {
            edge = known.emplace(std::pair(from, to), add_edge(from, to, out).first).first;
        }
        add_edge_to(out[edge->second], graph[id]);
    }
    return out;
}

}  // namespace

FlowView grouped(const FlowView& view, ViewGroups& groups, PartRule rule,
                 const std::function<bool(FlowEdgeId)>& inner) {
    const std::vector<u32> group_of = numbers_of(groups, num_vertices(view.graph));
    FlowView out;
    out.whole = view.whole;
    out.graph = contract(view.graph, group_of, inner);
    out.parts.resize(num_vertices(out.graph));
    for (const FlowVertex v : program_order(view.graph)) {
        add_parts(out.parts[group_of[v]], view.parts[v], rule);
    }
    out.loops = grouped(view.loops, group_of, out.parts.size());
    return out;
}

namespace {

/// Calls whose sizes differ by more than this factor are not joined.
constexpr u64 kSimilarSizes = 2;

/// Key of joinable calls: name, regions, loop, preceding call.
using Likeness = std::tuple<std::string, u32, u32, std::string>;

/// Finds joinable calls.
class CallJoiner {
  public:
    explicit CallJoiner(const FlowView& view)
        : view_(view), loop_of_(view.loop_of()), groups_(num_vertices(view.graph)) {
        for (FlowVertex v = 0; v < num_vertices(view.graph); ++v) alike_.push_back(likeness_of(v));
    }

    ViewGroups& run() {
        for (const FlowEdgeId id : boost::make_iterator_range(edges(view_.graph))) {
            const FlowVertex from = source(id, view_.graph);
            const FlowVertex to = target(id, view_.graph);
            if (alike_[from] && alike_[from] == alike_[to]) groups_.union_set(from, to);
        }
        join_similar_sizes();
        return groups_;
    }

    [[nodiscard]] bool is_joined(FlowVertex v) const { return alike_[v].has_value(); }

  private:
    /// None for nodes that stay separate.
    [[nodiscard]] std::optional<Likeness> likeness_of(FlowVertex v) const {
        const Signature& own = view_.graph[v].signature;
        const bool call = own.kind == CallKind::call && view_.size_of(v) == 1;
        if (v <= kEndVertex || !call) return std::nullopt;
        const std::string& before = own.context == kNone ? own.name : speaker_of(own).name;
        return Likeness{own.name, own.path, loop_of_[v], before};
    }

    /// The signature with the arguments: the preceding call's if the context distinguishes calls.
    [[nodiscard]] const Signature& speaker_of(const Signature& own) const {
        return own.context == kNone ? own : (*view_.whole)[own.context].signature;
    }

    /// The size, and the other arguments without peers.
    [[nodiscard]] std::pair<std::vector<u64>, u64> size_of(FlowVertex v) const {
        std::pair<std::vector<u64>, u64> out;
        for (const SignatureArgument& argument : speaker_of(view_.graph[v].signature).arguments) {
            if (argument.kind == FieldKind::bytes) {
                out.second += argument.value;
            } else if (argument.kind != FieldKind::peer) {
                out.first.push_back(argument.value);
            }
        }
        return out;
    }

    void join_similar_sizes() {
        using Key = std::pair<Likeness, std::vector<u64>>;
        std::map<Key, std::vector<std::pair<u64, FlowVertex>>> sizes;
        for (FlowVertex v = 0; v < alike_.size(); ++v) {
            if (!alike_[v]) continue;
            auto [others, size] = size_of(v);
            sizes[{*alike_[v], std::move(others)}].emplace_back(size, v);
        }
        for (auto& [key, nodes] : sizes) {
            std::sort(nodes.begin(), nodes.end());
            for (std::size_t i = 1; i < nodes.size(); ++i) {
                if (nodes[i].first > kSimilarSizes * nodes[i - 1].first) continue;
                groups_.union_set(nodes[i - 1].second, nodes[i].second);
            }
        }
    }

    const FlowView& view_;
    std::vector<u32> loop_of_;
    std::vector<std::optional<Likeness>> alike_;  ///< by vertex
    ViewGroups groups_;
};

}  // namespace

FlowView join_calls(const FlowView& view) {
    CallJoiner joiner(view);
    return grouped(view, joiner.run(), PartRule::calls,
                   [&](FlowEdgeId id) { return joiner.is_joined(source(id, view.graph)); });
}

namespace {

bool is_inner(FlowVertex v) { return v > kEndVertex; }

/// The only predecessor or successor other than the node itself; kNone: none or several.
template <typename Edges, typename End>
FlowVertex only_end(FlowVertex v, const Edges& edges, const End& end) {
    FlowVertex only = v;
    for (const FlowEdgeId id : boost::make_iterator_range(edges)) {
        if (end(id) == v) continue;
        if (only != v) return kNone;
        only = end(id);
    }
    return only == v ? kNone : only;
}

/// By vertex: the only successor without another predecessor, in the same loop and regions, or
/// kNone.
std::vector<FlowVertex> links_of(const FlowView& view) {
    const FlowGraph& graph = view.graph;
    const std::vector<u32> loop_of = view.loop_of();
    std::vector<FlowVertex> links(num_vertices(graph), kNone);
    for (FlowVertex v = 0; v < links.size(); ++v) {
        const FlowVertex next =
            only_end(v, out_edges(v, graph), [&graph](FlowEdgeId id) { return target(id, graph); });
        if (next == kNone || !is_inner(v) || !is_inner(next)) continue;
        const FlowVertex back = only_end(next, in_edges(next, graph),
                                         [&graph](FlowEdgeId id) { return source(id, graph); });
        const bool together =
            loop_of[v] == loop_of[next] && graph[v].signature.path == graph[next].signature.path;
        if (back == v && together) links[v] = next;
    }
    return links;
}

}  // namespace

FlowView join_chains(const FlowView& view) {
    const std::vector<FlowVertex> links = links_of(view);
    ViewGroups groups(links.size());
    for (FlowVertex v = 0; v < links.size(); ++v) {
        const bool closes = links[v] != kNone && groups.find_set(v) == groups.find_set(links[v]);
        if (links[v] != kNone && !closes) groups.union_set(v, links[v]);
    }
    return grouped(view, groups, PartRule::chain, [&](FlowEdgeId id) {
        return links[source(id, view.graph)] == target(id, view.graph);
    });
}

}  // namespace tracefold
