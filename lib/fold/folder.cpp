// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/folder.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Number of earlier positions of the tail item to compare; more would find longer periods in
/// sequences whose bodies repeat one item often.
constexpr std::size_t kMaxCandidates = 24;
/// Number of last loops in the queue that may absorb the following items.
constexpr std::size_t kMaxAbsorbing = 6;

}  // namespace

void Folder::push_unpredicted(u32 leaf) {
    if (!levels_.empty()) {
        if (advance(leaf)) return;
        while (backtrack()) {
            if (advance(leaf)) return;
        }
        ++mispredictions_;
        leave();
        while (settle()) {
            if (advance(leaf)) return;
            leave();
        }
    }
    ++mispredictions_;
    append(leaf);
    settle();
}

/// Called once per execution of an ended loop.
void Folder::count_trips(u32 node, u64 trips) {
    counts_[node].push(trips);
    if (noting_) noted_.push_back({node, trips});
}

void Folder::finish() {
    if (!levels_.empty()) leave();
    settle_closed();
}

u32 Folder::new_node(const Node& node) {
    nodes_.push_back(node);
    counts_.emplace_back();
    return static_cast<u32>(nodes_.size() - 1);
}

u32 Folder::add_leaf() {
    const u32 id = static_cast<u32>(nodes_.size());
    leaf_nodes_.push_back(new_node({id, 0, 0, mix(2 * u64{leaf_nodes_.size()} + 1)}));
    return id;
}

u64 Folder::window(std::size_t begin, std::size_t end) const {
    return prefix_[end] - prefix_[begin] * powers_[end - begin];
}

bool Folder::equals_body(const Node& loop, std::size_t begin) const {
    return std::equal(bodies_.begin() + loop.begin, bodies_.begin() + loop.begin + loop.size,
                      queue_.begin() + static_cast<std::ptrdiff_t>(begin));
}

u32 Folder::loop_of(std::size_t begin, std::size_t end) {
    const u64 hash = mix(window(begin, end) * 7 + (end - begin));
    const auto [first, last] = loops_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        const Node& node = nodes_[it->second];
        if (node.size == end - begin && equals_body(node, begin)) return it->second;
    }
    const Node node{nodes_[queue_[begin]].first_leaf, static_cast<u32>(bodies_.size()),
                    static_cast<u32>(end - begin), hash};
    bodies_.insert(bodies_.end(), queue_.begin() + static_cast<std::ptrdiff_t>(begin),
                   queue_.begin() + static_cast<std::ptrdiff_t>(end));
    const u32 id = new_node(node);
    loops_.emplace(hash, id);
    return id;
}

void Folder::append(u32 node) {
    const u32 position = static_cast<u32>(queue_.size());
    if (nodes_[node].size != 0) loop_positions_.push_back(position);
    queue_.push_back(node);
    before_.push_back(std::exchange(nodes_[node].last, position));
    prefix_.push_back(prefix_.back() * kGolden + nodes_[node].hash);
    if (powers_.size() <= queue_.size()) powers_.push_back(powers_.back() * kGolden);
}

void Folder::drop_to(std::size_t size) {
    while (queue_.size() > size) {
        nodes_[queue_.back()].last = before_.back();
        queue_.pop_back();
        before_.pop_back();
        prefix_.pop_back();
    }
    while (!loop_positions_.empty() && loop_positions_.back() >= size) loop_positions_.pop_back();
}

void Folder::activate(u32 node, u64 trips) {
    const Node& loop = nodes_[node];
    levels_.assign(1, {node, loop.size, trips, loop.begin, loop.size});
}

/// Tries to fold the closed tail; returns true if a loop became active.
bool Folder::settle() { return !queue_.empty() && (absorb() || fold_tail()); }

/// Tries to absorb the tail as another iteration of a loop directly before it.
bool Folder::absorb() {
    const std::size_t size = queue_.size();
    const std::size_t known = loop_positions_.size();
    for (std::size_t k = 0; k < std::min(known, kMaxAbsorbing); ++k) {
        const std::size_t position = loop_positions_[known - 1 - k];
        const u32 id = queue_[position];
        const Node& loop = nodes_[id];
        if (loop.size == 0 || position + 1 + loop.size != size) continue;
        if (mix(window(position + 1, size) * 7 + loop.size) != loop.hash) continue;
        if (!equals_body(loop, position + 1)) continue;
        drop_to(position + 1);
        activate(id, counts_[id].pop() + 1);
        return true;
    }
    return false;
}

/// Tries to fold the tail with an equal adjacent window, ending at earlier tail items.
bool Folder::fold_tail() {
    const std::size_t size = queue_.size();
    u32 place = before_.back();
    for (std::size_t k = 0; k < kMaxCandidates && place != kNone; ++k, place = before_[place]) {
        const std::size_t end = std::size_t{place} + 1;
        const std::size_t length = size - end;
        if (end < length) break;
        if (length == 1 && nodes_[queue_.back()].size == 0) continue;
        if (window(end - length, end) != window(end, size)) continue;
        const auto first = queue_.begin() + static_cast<std::ptrdiff_t>(end - length);
        const auto second = queue_.begin() + static_cast<std::ptrdiff_t>(end);
        if (!std::equal(second, queue_.end(), first)) continue;
        const u32 loop = loop_of(end, size);
        drop_to(end - length);
        append(loop);
        activate(loop, 2);
        return true;
    }
    return false;
}

void Folder::settle_closed() {
    while (settle()) close_outer();
}

void Folder::close_outer() {
    count_trips(levels_.front().node, levels_.front().trips);
    levels_.clear();
}

void Folder::enter(u32 node) {
    while (nodes_[node].size != 0) {
        levels_.push_back({node, 0, 0, nodes_[node].begin, nodes_[node].size});
        node = bodies_[nodes_[node].begin];
    }
}

/// Closes the loops inside level `depth`, which are all at the end of their bodies.
void Folder::close_inner(std::size_t depth) {
    while (levels_.size() > depth + 1) {
        count_trips(levels_.back().node, levels_.back().trips + 1);
        levels_.pop_back();
    }
}

/// Advances the prediction over a run of `leaf`, from the innermost loop outwards: the next item of
/// the body, at its end the start of the body, else the item after the loop in its parent.
bool Folder::advance(u32 leaf) {
    for (std::size_t depth = levels_.size(); depth-- > 0;) {
        Level& level = levels_[depth];
        const Node& loop = nodes_[level.node];
        const bool complete = level.index == loop.size;
        const u32 next = complete ? loop.size : level.index + 1;
        if (next < loop.size) {
            const u32 target = item(loop, next);
            if (!starts_with(target, leaf)) return false;
            close_inner(depth);
            levels_[depth].index = next;
            enter(target);
            return true;
        }
        if (loop.first_leaf == leaf) {
            close_inner(depth);
            if (!complete) ++levels_[depth].trips;
            levels_[depth].index = 0;
            enter(item(loop, 0));
            return true;
        }
    }
    return false;
}

/// The partial iteration of an inner loop may equal the items after that loop in its parent (`loop
/// { a b c } a b`): closes the loop and continues the prediction in the parent.
bool Folder::backtrack() {
    for (std::size_t depth = levels_.size(); depth-- > 1;) {
        const Level level = levels_[depth];
        const Node& loop = nodes_[level.node];
        Level& outer = levels_[depth - 1];
        const Node& parent = nodes_[outer.node];
        const u32 items = level.index + 1;
        if (level.trips == 0 || outer.index + items >= parent.size) continue;
        const auto partial = bodies_.begin() + loop.begin;
        const auto following = bodies_.begin() + parent.begin + outer.index + 1;
        if (!std::equal(partial, partial + items, following)) continue;
        count_trips(level.node, level.trips);
        outer.index += items;
        levels_.erase(levels_.begin() + static_cast<std::ptrdiff_t>(depth));
        return true;
    }
    return false;
}

/// Abandons the prediction: closes the loop and folds it into the preceding items; the items of the
/// partial iteration follow in the queue.
void Folder::leave() {
    partial_.clear();
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
        const Level& level = levels_[depth];
        const Node& loop = nodes_[level.node];
        const bool innermost = depth + 1 == levels_.size();
        u32 done = level.index == loop.size ? 0 : level.index + (innermost ? 1 : 0);
        u64 trips = level.trips;
        if (done == loop.size) {
            ++trips;
            done = 0;
        }
        if (depth == 0) {
            count_trips(level.node, trips);
        } else if (trips != 0) {
            partial_.push_back(level.node);
            count_trips(level.node, trips);
        }
        const auto body = bodies_.begin() + loop.begin;
        partial_.insert(partial_.end(), body, body + done);
    }
    levels_.clear();
    if (partial_.empty()) return;
    settle_closed();
    for (const u32 node : partial_) append(node);
}

/// Numbers reachable loops in depth-first post-order from the root.
void Folder::number_loops(std::vector<u32>& item_of, std::vector<u32>& order) const {
    struct Frame {
        u32 node;
        u32 next;
    };
    std::vector<Frame> stack;
    for (const u32 root : queue_) {
        if (nodes_[root].size != 0 && item_of[root] == kNone) stack.push_back({root, 0});
        while (!stack.empty()) {
            Frame& frame = stack.back();
            const Node& loop = nodes_[frame.node];
            if (frame.next == loop.size) {
                item_of[frame.node] = static_cast<u32>(leaf_nodes_.size() + order.size());
                order.push_back(frame.node);
                stack.pop_back();
                continue;
            }
            const u32 child = item(loop, frame.next++);
            if (nodes_[child].size != 0 && item_of[child] == kNone) stack.push_back({child, 0});
        }
    }
}

u32 Folder::store(StructurePool& pool, std::vector<NodeCount>& counts) {
    std::vector<u32> item_of(nodes_.size(), kNone);
    counts.clear();
    const auto put_count = [&](u32 node) {
        const u32 column = counts_[node].finish(pool);
        if (column != kNone) counts.push_back({item_of[node], column});
    };
    for (u32 leaf = 0; leaf < leaf_nodes_.size(); ++leaf) {
        item_of[leaf_nodes_[leaf]] = leaf;
        put_count(leaf_nodes_[leaf]);
    }
    std::vector<u32> order;
    number_loops(item_of, order);
    Pattern pattern;
    pattern.leaf_count = static_cast<u32>(leaf_nodes_.size());
    for (const u32 id : order) {
        std::vector<u32> body;
        for (u32 i = 0; i < nodes_[id].size; ++i) body.push_back(item_of[item(nodes_[id], i)]);
        pattern.loops.push_back(std::move(body));
        put_count(id);
    }
    for (const u32 node : queue_) pattern.root.push_back(item_of[node]);
    return pool.intern(std::move(pattern));
}

}  // namespace tracefold
