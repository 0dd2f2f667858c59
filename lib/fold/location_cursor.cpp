// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_cursor.hpp"

namespace tracefold {

LocationCursor::LocationCursor(StructureIndex& index, Stream stream, u32 location)
    : index_(index), location_(location) {
    const u32 script = index.script(stream, location);
    if (script == kNone) return;
    script_ = &index.structure().scripts[script];
    std::vector<u32> counts;
    const std::size_t nodes = index.structure().patterns[script_->pattern].node_count();
    for (u32 node = 0; node < nodes; ++node) {
        counts.push_back(index.count_column(script, node, location));
    }
    pattern_.emplace_back(index.source(), script_->pattern, counts);
    slots_.resize(script_->symbols.size());
    for (std::size_t leaf = 0; leaf < slots_.size(); ++leaf) {
        const u32 symbol = script_->symbols[leaf];
        const std::vector<Slot>& slots = index_.slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            slots_[leaf].push_back(
                {slots[slot].shape,
                 ColumnCursor(index_.source(), index_.slot_column(symbol, slot, location_))});
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
            case SlotShape::one: values.push_back(slot.column.next()); break;
            case SlotShape::count:
                repeat = slot.column.next();
                values.push_back(repeat);
                break;
            case SlotShape::each:
                for (u64 i = 0; i < repeat; ++i) values.push_back(slot.column.next());
                break;
        }
    }
    return true;
}

}  // namespace tracefold
