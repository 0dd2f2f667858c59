// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/call_nodes.hpp"

#include "graph/recover.hpp"
#include "model/symbol.hpp"

namespace tracefold {

CallNodes::CallNodes(StructureIndex& index, SignatureSource& signatures, u32 location)
    : index_(index),
      signatures_(signatures),
      cursor_(index, Stream::events, location),
      position_(signatures.start(location)) {}

bool CallNodes::next() {
    if (!cursor_.next(symbol_, values_)) return false;
    pick_values(signatures_.leaf(symbol_).slots);
    node_ = signatures_.step(symbol_, picked_, position_);
    return true;
}

/// Repeated slots take as many values as their count says.
void CallNodes::pick_values(const std::vector<u32>& wanted) {
    picked_.clear();
    const std::vector<Slot>& slots = index_.slots(symbol_);
    std::size_t at = 0;
    SlotValues slot_values;
    auto next = wanted.begin();
    for (u32 slot = 0; slot < slots.size() && next != wanted.end(); ++slot) {
        if (slot == *next) {
            picked_.push_back(values_[at]);
            ++next;
        }
        at += slot_values.count(slots[slot].shape, values_.data() + at);
    }
}

std::optional<u64> first_difference(const FlowGraph& graph, ListingSource& source,
                                    SignatureSource& signatures, u32 location) {
    CallNodes calls(source.index(), signatures, location);
    const auto next_node = [&calls] {
        while (calls.next()) {
            if (calls.node() != kNone) return calls.node();
        }
        return SignatureTable::kEnd;
    };
    u64 place = 0;
    std::optional<u64> difference;
    recover(graph, location, [&](FlowVertex node) {
        if (!difference && next_node() != node) difference = place;
        ++place;
    });
    if (!difference && next_node() != SignatureTable::kEnd) difference = place;
    return difference;
}

}  // namespace tracefold
