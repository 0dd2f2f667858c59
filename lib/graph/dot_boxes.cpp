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

/// A call that follows itself is no box but an edge; nor are boxes nested without end.
void DotBoxes::add_loops(const FlowView& view, const GraphTexts& texts,
                         const std::vector<FlowVertex>& order) {
    const std::vector<u32> loop_of = view.loop_of();
    const auto box_around = [&view](u32 loop) {
        while (loop != kNone &&
               (view.loops[loop].depth >= kMostBoxes || !view.is_box(view.loops[loop]))) {
            loop = view.loops[loop].parent;
        }
        return loop;
    };
    std::map<u32, u32> box_of;  // by loop
    for (const FlowVertex v : order) {
        std::vector<u32> loops;
        for (u32 loop = box_around(loop_of[v]); loop != kNone;
             loop = box_around(view.loops[loop].parent)) {
            loops.push_back(loop);
        }
        std::reverse(loops.begin(), loops.end());
        for (const u32 loop : loops) {
            const auto [known, fresh] = box_of.emplace(loop, boxes_.size());
            if (fresh) {
                const FlowLoop& self = view.loops[loop];
                const std::size_t shade =
                    std::min<std::size_t>(self.depth, kLoopColours.size() - 1);
                boxes_.push_back({innermost_[v], "loop" + std::to_string(loop), texts.loop(self),
                                  kLoopLine, kLoopColours[shade], v});
            }
            innermost_[v] = known->second;
        }
    }
}

void DotBoxes::add_paths(const FlowView& view, const std::vector<FlowVertex>& order) {
    const CallPaths& paths = view.graph[boost::graph_bundle].paths;
    std::map<u32, u32> box_of;  // by path
    for (const FlowVertex v : order) {
        if (v <= kEndVertex) continue;
        std::vector<u32> around;
        for (u32 path = view.graph[v].signature.path; path != 0; path = paths.outside(path)) {
            around.push_back(path);
        }
        std::reverse(around.begin(), around.end());
        for (const u32 path : around) {
            const auto [known, fresh] = box_of.emplace(path, boxes_.size());
            if (fresh) {
                boxes_.push_back({innermost_[v], "path" + std::to_string(path),
                                  paths.at(path).region, kPathLine, kPathColour, v});
            }
            innermost_[v] = known->second;
        }
    }
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
