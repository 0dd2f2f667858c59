// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/call_tree.hpp"

#include "base/bytes.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tracefold {

u32 CallTree::add(u32 parent, Kind kind, u64 ref, u64 first_call) {
    for (u32 node = static_cast<u32>(numbers_.size()); node < size(); ++node) {
        numbers_.try_emplace({nodes_[node].parent, nodes_[node].kind, nodes_[node].ref}, node);
    }
    const auto [found, fresh] = numbers_.try_emplace({parent, kind, ref}, size());
    if (fresh) return append(parent, kind, ref, first_call);
    nodes_[*found].first = std::min(nodes_[*found].first, first_call);
    return *found;
}

u32 CallTree::append(u32 parent, Kind kind, u64 ref, u64 first_call) {
    const u32 node = size();
    const u32 depth = parent == kNone ? 0 : nodes_[parent].depth + 1;
    nodes_.push_back({kind, depth, ref, parent, first_call, kNone, kNone, kNone});
    u32& first = parent == kNone ? first_root_ : nodes_[parent].first_child;
    u32& last = parent == kNone ? last_root_ : nodes_[parent].last_child;
    (first == kNone ? first : nodes_[last].next_sibling) = node;
    last = node;
    return node;
}

std::vector<u32> CallTree::merge(const CallTree& other) {
    std::vector<u32> numbers(other.size());
    for (const u32 node : other.depth_first()) {
        const Node& it = other[node];
        numbers[node] =
            add(it.parent == kNone ? kNone : numbers[it.parent], it.kind, it.ref, it.first);
    }
    return numbers;
}

std::vector<u32> CallTree::depth_first() const {
    std::vector<u32> order;
    order.reserve(size());
    u32 node = first_root_;
    while (node != kNone) {
        order.push_back(node);
        if (nodes_[node].first_child != kNone) {
            node = nodes_[node].first_child;
            continue;
        }
        while (node != kNone && nodes_[node].next_sibling == kNone) node = nodes_[node].parent;
        if (node != kNone) node = nodes_[node].next_sibling;
    }
    return order;
}

CallTree CallTree::in_call_order() const {
    std::vector<u32> order(size());
    std::iota(order.begin(), order.end(), 0U);
    // Parents precede children, even if a thread is started by one with a larger number.
    std::vector<u64> since(size());
    for (u32 node = 0; node < size(); ++node) {
        const u32 parent = nodes_[node].parent;
        since[node] = std::max(nodes_[node].first, parent == kNone ? 0 : since[parent]);
    }
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) {
        return std::tuple(since[a], nodes_[a].depth, nodes_[a].first) <
               std::tuple(since[b], nodes_[b].depth, nodes_[b].first);
    });
    // No node occurs twice, so none is looked up.
    const auto append_all = [](const CallTree& from, const std::vector<u32>& nodes) {
        CallTree tree;
        tree.nodes_.reserve(nodes.size());
        std::vector<u32> numbers(nodes.size());
        for (const u32 node : nodes) {
            const Node& it = from[node];
            const u32 parent = it.parent == kNone ? kNone : numbers[it.parent];
            numbers[node] = tree.append(parent, it.kind, it.ref, it.first);
        }
        return tree;
    };
    const CallTree called = append_all(*this, order);
    return append_all(called, called.depth_first());
}

std::vector<u32> CallTree::child_counts() const {
    std::vector<u32> counts(size(), 0);
    for (const Node& node : nodes_) {
        if (node.parent != kNone) ++counts[node.parent];
    }
    return counts;
}

std::string CallTree::to_bytes() const {
    ByteWriter out;
    out.put_varint(size());
    for (const Node& node : nodes_) {
        out.put_u8(static_cast<u8>(node.kind));
        out.put_varint(node.ref);
        out.put_varint(node.first);
        out.put_varint(node.parent == kNone ? 0 : u64{node.parent} + 1);
    }
    return out.take();
}

CallTree CallTree::from_bytes(std::string_view bytes) {
    ByteReader in(bytes, "a call tree");
    CallTree tree;
    const u64 count = in.get_count(4);
    for (u64 i = 0; i < count; ++i) {
        const u8 kind = in.get_u8();
        const u64 ref = in.get_varint();
        const u64 first = in.get_varint();
        const u64 parent = in.get_varint();
        const bool fits = kind <= static_cast<u8>(Kind::copy) && parent <= i;
        if (!fits || tree.add(parent == 0 ? kNone : static_cast<u32>(parent - 1),
                              static_cast<Kind>(kind), ref, first) != i) {
            in.fail("there is no such node");
        }
    }
    in.expect_end();
    return tree;
}

}  // namespace tracefold
