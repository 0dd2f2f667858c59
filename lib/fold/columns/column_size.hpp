// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"

#include <set>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// About how many bytes a column and what it refers to take in the file before compression. Used
/// to choose between forms. Cost: linear in the column.
u64 column_size(const StructurePool& pool, u32 column);
u64 column_size(const FoldedSource& source, u32 column);

/// Bytes of these values, and of the differences between them.
struct ListSizes {
    u64 plain = 0;
    u64 differences = 0;
};
ListSizes list_sizes(const std::vector<u64>& values);

/// About how many bytes a list of these values takes.
u64 list_size(const std::vector<u64>& values);

/// Bytes of a signed varint of the 64-bit number.
u64 signed_size(u64 value);

/// What a column that is folded, of values or of differences, takes at least: an item in the root
/// of its pattern, and an alphabet of one letter.
inline constexpr u64 kSmallestFolded = 7;
/// The same for a list.
constexpr u64 smallest_list(u64 values) { return 2 + values; }

/// About how many bytes columns take in the file once they are compressed: a number that follows
/// the numbers before it as it did earlier costs little, so that columns which resemble each other
/// are cheap. Used to choose between encodings of several columns. Cost: linear in the columns, a
/// few lookups for each number.
class PackedSize {
  public:
    explicit PackedSize(const FoldedSource& source) : source_(source) {}

    /// A mention of a column, which is there with all that it refers to if it is a new one.
    void add(u32 column);

    [[nodiscard]] u64 bytes() const { return bits_ / 8; }

  private:
    /// What a number stands for: numbers of different kinds do not predict each other.
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
    std::unordered_map<u64, u64> seen_;     ///< how often, by kind and number
    u64 all_[6] = {};                       ///< numbers, by kind
    std::unordered_map<u64, u64> next_[2];  ///< by the last number, or the last two
};

}  // namespace tracefold
