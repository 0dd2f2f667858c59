// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/node_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace tracefold {

namespace {

std::vector<u32> breadth_first(const CallTree& tree) {
    const std::vector<u32> depths = tree.depths();
    std::vector<u32> order(tree.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&depths](u32 a, u32 b) { return depths[a] < depths[b]; });
    return order;
}

/// The n-th node goes to process n modulo their number.
std::vector<u32> round_robin(const CallTree& tree, u32 processes) {
    std::vector<u32> order;
    for (u32 first = 0; first < processes; ++first) {
        for (u32 node = first; node < tree.size(); node += processes) order.push_back(node);
    }
    return order;
}

/// By an own generator: that of the library may differ from one to the next.
std::vector<u32> shuffled(const CallTree& tree) {
    std::vector<u32> order(tree.size());
    std::iota(order.begin(), order.end(), 0U);
    u64 state = 0x853C49E6748FEA9BU;
    for (u32 left = tree.size(); left > 1; --left) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::swap(order[left - 1], order[(state >> 33U) % left]);
    }
    return order;
}

/// Every node is the beginning of a chain, or continues that of its parent, if it is the child with
/// the most levels below it.
std::vector<u32> chains(const CallTree& tree) {
    std::vector<u32> height(tree.size(), 1);
    std::vector<u32> next(tree.size(), kNone);
    for (u32 node = tree.size(); node-- > 0;) {
        const u32 parent = tree[node].parent;
        if (parent == kNone || height[node] + 1 < height[parent]) continue;
        height[parent] = height[node] + 1;
        next[parent] = node;
    }
    std::vector<u32> heads;
    for (u32 node = 0; node < tree.size(); ++node) {
        const u32 parent = tree[node].parent;
        if (parent == kNone || next[parent] != node) heads.push_back(node);
    }
    std::stable_sort(heads.begin(), heads.end(),
                     [&height](u32 a, u32 b) { return height[a] > height[b]; });
    std::vector<u32> order;
    for (const u32 head : heads) {
        for (u32 node = head; node != kNone; node = next[node]) order.push_back(node);
    }
    return order;
}

std::vector<u32> ordered(const CallTree& tree, NodeOrder order, u32 processes) {
    switch (order) {
        case NodeOrder::breadth_first:
            return breadth_first(tree);
        case NodeOrder::round_robin:
            return round_robin(tree, processes);
        case NodeOrder::random:
            return shuffled(tree);
        case NodeOrder::deepest_chain:
            break;
    }
    return chains(tree);
}

}  // namespace

std::string_view order_name(NodeOrder order) {
    constexpr std::array<std::string_view, 4> kNames = {"breadth-first", "round-robin", "random",
                                                        "deepest-chain"};
    return kNames[static_cast<std::size_t>(order)];
}

std::vector<u32> node_owners(const CallTree& tree, NodeOrder order, u32 processes) {
    std::vector<u32> owners(tree.size(), 0);
    const std::vector<u32> nodes = ordered(tree, order, processes);
    for (u64 place = 0; place < nodes.size(); ++place) {
        owners[nodes[place]] = static_cast<u32>(place * processes / nodes.size());
    }
    return owners;
}

}  // namespace tracefold
