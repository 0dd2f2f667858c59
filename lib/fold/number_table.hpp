// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The first numbers of one column, as many as it has, as it repeats, or as are looked at.
struct NumberSequence {
    enum class End : u8 {
        here,
        never,  ///< they come again and again
        last,   ///< the last one comes again and again
        later,
    };

    std::vector<u64> numbers;
    End end = End::here;

    [[nodiscard]] u64 at(std::size_t number) const {
        const std::size_t size = numbers.size();
        if (end == End::last) number = std::min(number, size - 1);
        return numbers[number < size ? number : number % size];
    }
};

/// Length of the shortest period of a sequence, which may end within a period (Knuth, Morris,
/// Pratt: size minus longest border). Cost: linear.
std::size_t shortest_period(const std::vector<u64>& numbers);

/// The numbers of all columns of an assignment.
class NumberTable {
  public:
    /// False if there are too many to look at. Cost and memory: these numbers.
    bool fill(const FoldedSource& source, std::span<const u32> column_of_participant);

    /// Brings all columns to one length: what all of them repeat, else their common length. False
    /// if there is none.
    bool find_size(std::size_t participants);

    /// Whether what was not looked at so far repeats the numbers. Cost: linear in it.
    [[nodiscard]] bool holds(const FoldedSource& source) const;

    /// Once there is a common length: it, and whether all repeat it.
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool periodic() const { return periodic_; }
    /// A number of a column.
    [[nodiscard]] u64 at(u32 column, std::size_t number) const {
        return sequences_.at(column).at(number);
    }
    /// So many numbers of a column, from the first one on.
    [[nodiscard]] std::vector<u64> first(u32 column, std::size_t count) const;

    /// Cuts every column to what it repeats, be it all that it has. False if one does not go on as
    /// it begins. Cost: linear in the columns.
    bool cut_to_periods(const FoldedSource& source);
    [[nodiscard]] const std::vector<u64>& numbers(u32 column) const {
        return sequences_.at(column).numbers;
    }
    /// How many numbers a column has; nothing if it has any number, or more than are looked at.
    [[nodiscard]] std::optional<std::size_t> length(u32 column) const;
    [[nodiscard]] bool all_known() const;

  private:
    std::map<u32, NumberSequence> sequences_;
    std::size_t size_ = 0;
    bool periodic_ = false;
};

}  // namespace tracefold
