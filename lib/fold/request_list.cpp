// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/request_list.hpp"

namespace tracefold {

u32 RequestList::add(u64 id, RequestKind kind, u32 payload) {
    u32 node = static_cast<u32>(nodes_.size());
    if (free_.empty()) {
        nodes_.emplace_back();
    } else {
        node = free_.back();
        free_.pop_back();
    }
    const u32 last = nodes_[0].previous;
    nodes_[node] = {id, added_++, kind, payload, last, 0};
    ++size_;
    nodes_[last].next = node;
    nodes_[0].previous = node;
    return node;
}

u32 RequestList::at(i64 distance) const {
    u32 node = distance >= 0 ? nodes_[anchor_].next : anchor_;
    i64 steps = distance >= 0 ? distance : -1 - distance;
    if (steps >= kReach) return kNone;
    for (; steps > 0 && node != 0; --steps) {
        node = distance >= 0 ? nodes_[node].next : nodes_[node].previous;
    }
    return node == 0 ? kNone : node;
}

void RequestList::remove(u32 node) {
    touch(node);
    const Request& request = nodes_[node];
    anchor_ = request.previous;
    nodes_[request.previous].next = request.next;
    nodes_[request.next].previous = request.previous;
    free_.push_back(node);
    --size_;
}

void RequestList::watch() {
    first_serial_ = added_;
    watched_size_ = size_;
    watched_anchor_ = anchor_;
    touched_ = false;
}

}  // namespace tracefold
