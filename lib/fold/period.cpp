// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/period.hpp"

#include <algorithm>

namespace tracefold::inline fold {

namespace {

/// One loop over single values, at whose end an iteration may be cut off.
std::vector<u64> body_of_single_loop(const FoldedSource& source, const Column& column) {
    if (column.form != Column::Form::folded) return {};
    const Pattern& pattern = source.patterns[column.pattern];
    if (pattern.loops.size() != 1 || pattern.root[0] != pattern.leaf_count) return {};
    const std::vector<u32>& body = pattern.loops[0];
    const bool cut_off = pattern.root.size() <= body.size() &&
                         std::equal(pattern.root.begin() + 1, pattern.root.end(), body.begin());
    const bool single = column.counts.size() == 1 && column.counts[0].node == pattern.leaf_count;
    if (!cut_off || !single) return {};
    const std::vector<u64> letters = unwind(source, column.alphabet, pattern.leaf_count);
    std::vector<u64> period;
    period.reserve(body.size());
    for (const u32 leaf : body) period.push_back(letters[leaf]);
    return period;
}

/// Length of the shortest period of a sequence (Knuth, Morris, Pratt: size minus longest border).
std::size_t shortest_period(const std::vector<u64>& values) {
    std::vector<std::size_t> border(values.size() + 1, 0);
    for (std::size_t i = 1; i < values.size(); ++i) {
        std::size_t length = border[i];
        while (length > 0 && values[i] != values[length]) length = border[length];
        border[i + 1] = values[i] == values[length] ? length + 1 : 0;
    }
    return values.size() - border[values.size()];
}

}  // namespace

std::vector<u64> period_of(const FoldedSource& source, u32 column, u64 size, u64 longest) {
    std::vector<u64> body = body_of_single_loop(source, source.columns[column]);
    if (!body.empty() || size > kLongestSearch) return body;
    // Two periods are enough to know the shortest one.
    std::vector<u64> period = unwind(source, column, std::min(size, 2 * longest));
    const std::size_t length = shortest_period(period);
    if (length > longest || 2 * length > size) return {};
    period.resize(length);
    ColumnCursor cursor(source, column);
    for (u64 i = 0; i < size; ++i) {
        if (cursor.next() != period[i % length]) return {};
    }
    return period;
}

}  // namespace tracefold::inline fold
