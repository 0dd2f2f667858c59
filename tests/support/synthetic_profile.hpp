// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/profile/detail/call_profile.hpp"

namespace tracefold {

/// A call tree without a program behind it: children are added to the nodes at hand by an own
/// random generator, so that it is always alike; some chains are deep.
inline CallTree synthetic_tree(u32 nodes) {
    CallTree tree;
    tree.add(kNone, CallTree::Kind::program, 0, 0);
    u64 state = 42;
    for (u32 node = 1; node < nodes; ++node) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const u32 random = static_cast<u32>(state >> 33U);
        const u32 reach = random % 4 == 0 ? node : std::min(node, 20U);
        tree.add(node - 1 - random / 4 % reach, CallTree::Kind::region, node, node);
    }
    return tree.in_call_order();
}

/// The first `metrics` of all values of a node on a location: many zeros, and all else small.
inline NodeValues synthetic_values(u32 node, u32 location, u32 metrics) {
    NodeValues values{node, {}};
    u64 state = (u64{node} << 32U | location) * 0x9E3779B97F4A7C15U;
    for (u32 metric = 0; metric < metrics; ++metric) {
        state ^= state >> 29U;
        state *= 0xBF58476D1CE4E5B9U;
        if ((node + metric) % 3 == 0 && metric > 0) continue;
        values.values[metric] = state >> 44U;
    }
    return values;
}

/// Of `processes`, process `rank` has every location whose number leaves that remainder.
inline ProfileInput synthetic_profile(u32 nodes, u32 locations, u32 metrics, u32 rank,
                                      u32 processes) {
    ProfileInput input;
    input.tree = synthetic_tree(nodes);
    input.locations = locations;
    const u32 size = input.tree.size();
    input.produce = [=](const LocationSink& sink) {
        std::vector<NodeValues> values(size);
        for (u32 location = rank; location < locations; location += processes) {
            for (u32 node = 0; node < size; ++node) {
                values[node] = synthetic_values(node, location, metrics);
            }
            sink(location, values);
        }
    };
    return input;
}

}  // namespace tracefold
