// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stats/sample.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// Adds up the quantities of a location, or of one iteration of it, by row. Memory: rows.
class Sums {
  public:
    /// Sums beyond 64 bits are kOverflow.
    void add(u32 row, Quantity quantity, u64 value, u64 times);

    /// Passes all sums and starts again with none. They are added to `total` unless it is null.
    /// Cost: rows that have any.
    void pass(Over over, u32 location, u64 iteration, SampleSink& sink, Sums* total = nullptr);
    /// Passes how many calls there were, as samples over calls. Cost: rows that have any.
    void pass_calls(u32 location, SampleSink& sink) const;

  private:
    struct Entry {
        std::array<u64, kQuantities> sums{};
        std::array<bool, kQuantities> present{};
        bool used = false;
    };

    std::vector<Entry> entries_;  ///< by row
    std::vector<u32> used_;
};

}  // namespace tracefold
