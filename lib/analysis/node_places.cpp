// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/node_places.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

std::vector<std::vector<PatternPlace>> places_of_nodes(const Pattern& pattern) {
    std::vector<std::vector<PatternPlace>> places(pattern.node_count());
    const auto add = [&places](u32 number, const std::vector<u32>& body) {
        for (u32 i = 0; i < body.size(); ++i) places[body[i]].push_back({number, i});
    };
    for (u32 loop = 0; loop < pattern.loops.size(); ++loop) add(loop, pattern.loops[loop]);
    add(kNone, pattern.root);
    return places;
}

NodePlaces::NodePlaces(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
                       u32 node) {
    find_loops(pattern, places, node);
    pattern_.leaf_count = static_cast<u32>(places[node].size());
    pattern_.loops.resize(loops_.size());
    std::vector<std::pair<PatternPlace, u32>> items;
    for (u32 place = 0; place < pattern_.leaf_count; ++place)
        items.emplace_back(places[node][place], place);
    for (const u32 loop : loops_) {
        for (const PatternPlace& place : places[pattern.leaf_count + loop]) {
            items.emplace_back(place, item_of_loop(loop));
        }
    }
    std::sort(items.begin(), items.end());
    for (const auto& [place, item] : items) body_of(place.body).push_back(item);
}

void NodePlaces::find_loops(const Pattern& pattern,
                            const std::vector<std::vector<PatternPlace>>& places, u32 node) {
    std::vector<bool> known(pattern.loops.size(), false);
    std::vector<u32> open = {node};
    while (!open.empty()) {
        const u32 inner = open.back();
        open.pop_back();
        for (const PatternPlace& place : places[inner]) {
            if (place.body == kNone || known[place.body]) continue;
            known[place.body] = true;
            loops_.push_back(place.body);
            open.push_back(pattern.leaf_count + place.body);
        }
    }
    std::sort(loops_.begin(), loops_.end());
}

u32 NodePlaces::item_of_loop(u32 loop) const {
    const auto found = std::lower_bound(loops_.begin(), loops_.end(), loop);
    return pattern_.leaf_count + static_cast<u32>(found - loops_.begin());
}

std::vector<u32>& NodePlaces::body_of(u32 loop) {
    return loop == kNone ? pattern_.root : pattern_.loops[item_of_loop(loop) - pattern_.leaf_count];
}

NodeCounts NodePlaces::counts(std::vector<ColumnCursor> loop_counts) const {
    NodeCounts counts(pattern_);
    u32 node = pattern_.leaf_count;
    for (ColumnCursor& count : loop_counts) counts.add(node++, std::move(count));
    return counts;
}

ColumnCursor NodePlaces::visits(std::vector<ColumnCursor> loop_counts) const {
    return ColumnCursor::of_leaves({pattern_, counts(std::move(loop_counts))});
}

ColumnCursor NodePlaces::executions(std::vector<ColumnCursor> loop_counts,
                                    ColumnCursor own_counts) const {
    NodeCounts all = counts(std::move(loop_counts));
    all.add(0, std::move(own_counts));
    for (u32 place = 1; place < pattern_.leaf_count; ++place) all.share(place, 0);
    return ColumnCursor::of_leaves({pattern_, std::move(all)});
}

}  // namespace tracefold
