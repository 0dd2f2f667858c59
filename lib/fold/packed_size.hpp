// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <set>
#include <unordered_map>
#include <vector>

namespace tracefold {

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
