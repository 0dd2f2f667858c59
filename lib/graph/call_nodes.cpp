// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/call_nodes.hpp"

#include "model/symbol.hpp"

namespace tracefold::inline graph {

CallNodes::CallNodes(StructureIndex& index, SignatureSource& signatures, u32 location)
    : index_(index), signatures_(signatures), cursor_(index, Stream::events, location) {}

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

}  // namespace tracefold::inline graph
