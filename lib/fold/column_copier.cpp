// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_copier.hpp"

#include <utility>

namespace tracefold::inline fold {

ColumnCopier::ColumnCopier(const FoldedSource& source, StructurePool& target)
    : source_(source), target_(target), copied_(source.columns.size(), kNone) {}

u32 ColumnCopier::copy(u32 id) {
    if (copied_[id] != kNone) return copied_[id];
    Column column = source_.columns[id];
    if (column.is_folded()) {
        column.pattern = target_.intern(source_.patterns[column.pattern]);
        column.alphabet = copy(column.alphabet);
        for (NodeCount& count : column.counts) count.column = copy(count.column);
    }
    copied_[id] = target_.intern(std::move(column));
    return copied_[id];
}

}  // namespace tracefold::inline fold
