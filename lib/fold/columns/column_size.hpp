// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"

#include <set>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Estimates the bytes of a column and its referenced items in the file before compression, to
/// choose between forms. Cost: linear in the column.
u64 column_size(const StructurePool& pool, u32 column);
u64 column_size(const FoldedSource& source, u32 column);

/// Bytes of these values, and of their differences.
struct ListSizes {
    u64 plain = 0;
    u64 differences = 0;
};
ListSizes list_sizes(const std::vector<u64>& values);

/// Estimates the bytes of a list of these values.
u64 list_size(const std::vector<u64>& values);

/// Bytes of the number as a signed varint.
u64 signed_size(u64 value);

/// Lower bound for a folded column, of values or differences: an item in the root of its pattern,
/// and an alphabet of one letter.
inline constexpr u64 kSmallestFolded = 7;
/// Lower bound for a list.
constexpr u64 smallest_list(u64 values) { return 2 + values; }

/// Estimates the compressed bytes of columns in the file, to choose between encodings of several
/// columns: a number that follows the same predecessors as before is cheap, and so are similar
/// columns. Cost: linear in the columns, a few lookups per number.
class PackedSize {
  public:
    explicit PackedSize(const FoldedSource& source) : source_(source) {}

    /// Adds a reference to a column; a new column counts with all referenced items.
    void add(u32 column);

    [[nodiscard]] u64 bytes() const { return bits_ / 8; }

  private:
    /// The kind of a number: numbers of different kinds do not predict each other.
    enum class Kind : u8 { head, start, length, value, difference, item };

    void add_numbers(const std::vector<u64>& values);
    void add_runs(const std::vector<u64>& values);
    void add_pattern(u32 pattern);
    void add_number(Kind kind, u64 number);

    FoldedSource source_;
    u64 bits_ = 0;
    u64 last_[2] = {0, 0};
    std::set<u32> columns_;
    std::set<u32> patterns_;
    std::unordered_map<u64, u64> seen_;     ///< count by kind and number
    u64 all_[6] = {};                       ///< numbers, by kind
    std::unordered_map<u64, u64> next_[2];  ///< by the last number, or the last two
};

}  // namespace tracefold
