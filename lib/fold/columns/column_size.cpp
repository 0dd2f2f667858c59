// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/column_size.hpp"

#include "base/hash.hpp"

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
    const Column& column = source.column(id);
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

namespace {

/// Bits of a reference, of a number predicted by its predecessor or by the last two, and the
/// overhead of a new number.
constexpr u64 kMention = 3;
constexpr u64 kExpected[] = {3, 1};
constexpr u64 kNew = 1;

}  // namespace

void PackedSize::add(u32 id) {
    bits_ += kMention;
    if (!columns_.insert(id).second) return;
    const Column& column = source_.column(id);
    add_number(Kind::head, static_cast<u64>(column.form));
    switch (column.form) {
        case Column::Form::progression:
            add_number(Kind::start, column.stride);
            [[fallthrough]];
        case Column::Form::constant:
            add_number(Kind::start, column.start);
            return;
        case Column::Form::list:
        case Column::Form::periodic:
            add_numbers(column.values);
            return;
        case Column::Form::runs:
            add_runs(column.values);
            return;
        case Column::Form::folded:
        case Column::Form::differences:
            break;
    }
    if (patterns_.insert(column.pattern).second) add_pattern(column.pattern);
    add(column.alphabet);
    for (const NodeCount& count : column.counts) add(count.column);
}

void PackedSize::add_numbers(const std::vector<u64>& values) {
    add_number(Kind::length, values.size());
    const ListSizes sizes = list_sizes(values);
    const bool steps = sizes.differences < sizes.plain;
    u64 last = 0;
    for (const u64 value : values) {
        add_number(steps ? Kind::difference : Kind::value, steps ? value - last : value);
        last = value;
    }
}

void PackedSize::add_runs(const std::vector<u64>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        add_number(i % 2 == 0 ? Kind::value : Kind::length, values[i]);
    }
}

void PackedSize::add_pattern(u32 id) {
    const Pattern& pattern = source_.patterns[id];
    const auto add_items = [this](const std::vector<u32>& items) {
        add_number(Kind::length, items.size());
        u64 last = 0;
        for (const u32 item : items) {
            add_number(Kind::item, item - last);
            last = item;
        }
    };
    for (const auto& body : pattern.loops) add_items(body);
    add_items(pattern.root);
}

void PackedSize::add_number(Kind kind, u64 number) {
    const auto kind_number = static_cast<u64>(kind);
    const u64 first = mix(last_[0] * 8 + kind_number);
    const u64 keys[] = {first, mix(first + last_[1])};
    u64& seen = seen_[mix(number * 8 + kind_number)];
    u64& all = all_[kind_number];
    u64 cost = seen == 0 ? kNew + 8 * signed_size(number) : std::bit_width(all / seen) + 1;
    ++seen;
    ++all;
    for (std::size_t k = 0; k < 2; ++k) {
        const auto [known, fresh] = next_[k].try_emplace(keys[k], number);
        if (!fresh && known->second == number) cost = std::min<u64>(cost, kExpected[k]);
        known->second = number;
    }
    bits_ += cost;
    last_[1] = last_[0];
    last_[0] = number;
}

}  // namespace tracefold
