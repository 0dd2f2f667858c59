// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/peer_columns.hpp"

#include "fold/alphabet.hpp"
#include "fold/column_cursor.hpp"

#include <utility>

namespace tracefold::inline fold {

u32 reencode_peers(StructurePool& pool, u32 id, PeerEncoding encoding, const PeerView& view) {
    Column column = pool.columns()[id];
    const auto recode = [&](u64 value) {
        return encode_relative_peer(value, encoding, view.rank, view.size);
    };
    switch (column.form) {
        case Column::Form::constant:
            column.start = recode(column.start);
            break;
        case Column::Form::list:
        case Column::Form::periodic:
            for (u64& value : column.values) value = recode(value);
            break;
        case Column::Form::runs:
            for (std::size_t i = 0; i < column.values.size(); i += 2) {
                column.values[i] = recode(column.values[i]);
            }
            break;
        case Column::Form::folded: {
            const u32 leaves = pool.patterns()[column.pattern].leaf_count;
            std::vector<u64> letters =
                unwind({pool.patterns(), pool.columns()}, column.alphabet, leaves);
            for (u64& letter : letters) letter = recode(letter);
            column.alphabet = intern_alphabet(pool, std::move(letters));
            break;
        }
        case Column::Form::progression:
        case Column::Form::differences:
            if (encoding != PeerEncoding::absolute) return kNone;
            column.start = recode(column.start);
            break;
    }
    return pool.intern(std::move(column));
}

}  // namespace tracefold::inline fold
