// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_cursor.hpp"

#include "core/error.hpp"

#include <utility>

namespace tracefold {

namespace {

/// More items than any record can hold (OTF2 chunks are at most 16 MiB): a damaged count.
constexpr u64 kMaxRepeat = u64{1} << 24U;

}  // namespace

LocationCursor::LocationCursor(StructureIndex& index, Stream stream, u32 location)
    : index_(index), location_(location) {
    const u32 script = index.script(stream, location);
    if (script == kNone) return;
    script_ = &index.structure().scripts[script];
    const Pattern& pattern = index.structure().patterns[script_->pattern];
    pattern_.emplace_back(pattern);
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        if (index.structure().script_counts[script][node].is_always_one()) continue;
        pattern_[0].add_counts(node, index.count_cursor(script, node, location));
    }
    slots_.resize(script_->symbols.size());
    for (std::size_t leaf = 0; leaf < slots_.size(); ++leaf) {
        const u32 symbol = script_->symbols[leaf];
        const std::vector<Slot>& slots = index_.slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            slots_[leaf].push_back(
                {slots[slot].shape, index_.slot_cursor(symbol, slot, location_)});
        }
    }
}

bool LocationCursor::next(u32& symbol, std::vector<u64>& values) {
    values.clear();
    if (run_.count == 0 && (pattern_.empty() || !pattern_[0].next(run_))) return false;
    --run_.count;
    symbol = script_->symbols[run_.leaf];
    u64 repeat = 0;
    for (SlotCursor& slot : slots_[run_.leaf]) {
        switch (slot.shape) {
            case SlotShape::one:
                values.push_back(slot.column.next());
                break;
            case SlotShape::count:
                repeat = slot.column.next();
                if (repeat > kMaxRepeat) {
                    throw Error(ErrorKind::corrupt, "a record has an impossible number of items");
                }
                values.push_back(repeat);
                break;
            case SlotShape::each:
                for (u64 i = 0; i < repeat; ++i) values.push_back(slot.column.next());
                break;
        }
    }
    return true;
}

void LocationCursor::save(CursorState& state) const {
    pattern_[0].save(state);
    for (const std::vector<SlotCursor>& slots : slots_) {
        for (const SlotCursor& slot : slots) slot.column.save(state);
    }
}

void LocationCursor::restore(CursorState& state) {
    pattern_[0].restore(state);
    for (std::vector<SlotCursor>& slots : slots_) {
        for (SlotCursor& slot : slots) slot.column.restore(state);
    }
}

}  // namespace tracefold
