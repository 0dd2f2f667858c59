// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/view_groups.hpp"

#include "graph/contract_graph.hpp"
#include "graph/program_order.hpp"

#include <map>
#include <utility>

namespace tracefold::inline graph {

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

/// The loops with groups for nodes: those of which no node is outside.
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

}  // namespace tracefold::inline graph
