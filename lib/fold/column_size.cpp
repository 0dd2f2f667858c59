// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_size.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

namespace {

u64 runs_size(const Column& column) {
    u64 size = 2;
    for (const u64 number : column.values) size += signed_size(number);
    return size;
}

}  // namespace

u64 signed_size(u64 value) {
    const u64 zigzag = (value << 1) ^ (0 - (value >> 63));
    return static_cast<u64>(std::bit_width(zigzag | 1) + 6) / 7;
}

ListSizes list_sizes(const std::vector<u64>& values) {
    ListSizes sizes;
    u64 last = 0;
    for (const u64 value : values) {
        sizes.plain += signed_size(value);
        sizes.differences += signed_size(value - last);
        last = value;
    }
    return sizes;
}

u64 list_size(const std::vector<u64>& values) {
    const ListSizes sizes = list_sizes(values);
    return 2 + std::min(sizes.plain, sizes.differences);
}

u64 column_size(const StructurePool& pool, u32 id) {
    return column_size({pool.patterns(), pool.columns()}, id);
}

u64 column_size(const FoldedSource& source, u32 id) {
    const Column& column = source.columns[id];
    switch (column.form) {
        case Column::Form::constant:
            return 1 + signed_size(column.start);
        case Column::Form::progression:
            return 1 + signed_size(column.start) + signed_size(column.stride);
        case Column::Form::list:
        case Column::Form::periodic:
            return list_size(column.values);
        case Column::Form::runs:
            return runs_size(column);
        case Column::Form::folded:
        case Column::Form::differences:
            break;
    }
    const Pattern& pattern = source.patterns[column.pattern];
    u64 size = 4 + pattern.root.size() + column_size(source, column.alphabet);
    for (const auto& body : pattern.loops) size += 1 + body.size();
    for (const NodeCount& count : column.counts) size += 1 + column_size(source, count.column);
    return size;
}

}  // namespace tracefold
