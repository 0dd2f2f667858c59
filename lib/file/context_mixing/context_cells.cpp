// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/context_mixing/context_cells.hpp"

#include <algorithm>

namespace tracefold {

/// Writes the number of cells, then for each its distance from the previous one, and the cell.
void ContextCells::save(ModelStateWriter& state) const {
    const auto learnt = [](const Cell& cell) { return cell.count() != 0; };
    state.bytes().put_varint(static_cast<u64>(std::count_if(cells_.begin(), cells_.end(), learnt)));
    std::size_t before = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        if (!learnt(cells_[i])) continue;
        state.bytes().put_varint(i - before);
        state(cells_[i]);
        before = i;
    }
}

void ContextCells::load(ModelStateReader& state) {
    std::size_t place = 0;
    for (u64 left = state.bytes().get_varint(); left > 0; --left) {
        place += state.bytes().get_varint();
        Cell cell;
        state(cell);
        const auto context = static_cast<u32>(place >> kMaxBits);
        const u32 key = static_cast<u32>(place << kTagBits) % (1U << kKeyBits) | cell.tag();
        Cell& known = cells_[place_of(context, key)];
        if (cell.count() > known.count()) known = cell.with_tag(tag_of(key));
    }
}

}  // namespace tracefold
