// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "fold/column_cursor.hpp"
#include "fold/structure_index.hpp"

#include <vector>

namespace tracefold {

/// Walks a script as a location runs it: the leaves are places in the script's symbols.
PatternCursor script_cursor(StructureIndex& index, u32 script, u32 location);

/// Unwinds one stream of one location call by call, in O(depth + columns) memory.
class LocationCursor {
  public:
    LocationCursor(StructureIndex& index, Stream stream, u32 location);

    /// The next call: its symbol, and in `values` (overwritten) the values of its slots in order; a
    /// `count` slot is followed by its repeated slots, field by field. False at the end.
    bool next(u32& symbol, AppendBuffer<u64>& values);

    /// Where the last call is.
    [[nodiscard]] OutermostLoop outermost() const {
        return pattern_.empty() ? OutermostLoop{} : pattern_[0].outermost();
    }

    /// The loop of which an iteration ends with the last call.
    [[nodiscard]] LoopTurn turn() const {
        return run_.count != 0 || pattern_.empty() ? LoopTurn{} : pattern_[0].turn();
    }
    /// As those of a column; save() stops as soon as the state differs from the one that it is
    /// compared with. Precondition: an iteration ends with the last call.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    struct SlotCursor {
        SlotShape shape;
        ColumnCursor column;
    };
    struct Leaf {
        std::vector<SlotCursor> slots;
        bool is_plain = true;  ///< every slot has one value
    };

    static void read(Leaf& leaf, AppendBuffer<u64>& values);

    StructureIndex& index_;
    u32 location_;
    const Script* script_ = nullptr;
    std::vector<PatternCursor> pattern_;  ///< none if the stream is empty
    PatternCursor::Run run_{0, 0};
    std::vector<Leaf> leaves_;
};

}  // namespace tracefold
