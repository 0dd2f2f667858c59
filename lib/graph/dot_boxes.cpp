// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/dot_boxes.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace tracefold {

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

/// `outwards` gives what is around a node, the innermost first; `make` draws one of these.
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

/// A call that follows itself is no box but an edge; nor are boxes nested without end.
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
    // A box comes after those around it.
    while (outer != inner && outer != kNone && inner != kNone) {
        u32& later = outer > inner ? outer : inner;
        later = boxes_[later].parent;
    }
    return outer == inner ? outer : kNone;
}

}  // namespace tracefold
