// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/alphabet.hpp"

#include <utility>

namespace tracefold::inline fold {

u32 intern_alphabet(StructurePool& pool, std::vector<u64> letters) {
    const u64 stride = letters.size() > 1 ? letters[1] - letters[0] : 0;
    bool regular = true;
    for (std::size_t i = 1; i < letters.size() && regular; ++i) {
        regular = letters[i] - letters[i - 1] == stride;
    }
    Column column;
    if (regular) {
        column.form = stride == 0 ? Column::Form::constant : Column::Form::progression;
        column.start = letters[0];
        column.stride = stride;
    } else {
        column.form = Column::Form::list;
        column.values = std::move(letters);
    }
    return pool.intern(std::move(column));
}

}  // namespace tracefold::inline fold
