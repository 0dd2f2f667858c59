// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_cursor.hpp"

#include "core/error.hpp"

namespace tracefold {

namespace {

/// More items than any record can hold (OTF2 chunks are at most 16 MiB): a damaged count.
constexpr u64 kMaxRepeat = u64{1} << 24U;

}  // namespace

PatternCursor script_cursor(StructureIndex& index, u32 script, u32 location) {
    const Structure& structure = index.structure();
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    PatternCursor cursor(pattern);
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        if (structure.script_counts[script][node].is_always_one()) continue;
        cursor.add_counts(node, index.count_cursor(script, node, location));
    }
    return cursor;
}

LocationCursor::LocationCursor(StructureIndex& index, Stream stream, u32 location)
    : index_(index), location_(location) {
    const u32 script = index.script(stream, location);
    if (script == kNone) return;
    script_ = &index.structure().scripts[script];
    pattern_.push_back(script_cursor(index, script, location));
    for (const u32 symbol : script_->symbols) {
        Leaf& leaf = leaves_.emplace_back();
        const std::vector<Slot>& slots = index_.slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            leaf.slots.push_back({slots[slot].shape, index_.slot_cursor(symbol, slot, location_)});
            leaf.is_plain = leaf.is_plain && slots[slot].shape == SlotShape::one;
        }
    }
}

bool LocationCursor::next(u32& symbol, AppendBuffer<u64>& values) {
    values.clear();
    if (run_.count == 0 && (pattern_.empty() || !pattern_[0].next(run_))) return false;
    --run_.count;
    symbol = script_->symbols[run_.leaf];
    Leaf& leaf = leaves_[run_.leaf];
    if (leaf.is_plain) {
        u64* value = values.extend(leaf.slots.size());
        for (SlotCursor& slot : leaf.slots) *value++ = slot.column.next();
    } else {
        read(leaf, values);
    }
    return true;
}

void LocationCursor::read(Leaf& leaf, AppendBuffer<u64>& values) {
    u64 repeat = 0;
    for (SlotCursor& slot : leaf.slots) {
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
}

void LocationCursor::save(CursorState& state) const {
    pattern_[0].save(state);
    for (const Leaf& leaf : leaves_) {
        for (const SlotCursor& slot : leaf.slots) {
            if (state.differs()) return;
            slot.column.save(state);
        }
    }
}

void LocationCursor::restore(CursorState& state) {
    pattern_[0].restore(state);
    for (Leaf& leaf : leaves_) {
        for (SlotCursor& slot : leaf.slots) slot.column.restore(state);
    }
}

}  // namespace tracefold
