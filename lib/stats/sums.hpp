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
    /// Throws Error(unsupported) for sums beyond 64 bits.
    void add(u32 row, Quantity quantity, u64 value, u64 times);

    /// Passes all sums and starts again with none; `rest`, unless it is null, gets them as well.
    /// Cost: rows that have any.
    void pass(Over over, u32 location, u64 iteration, SampleSink& sink, Sums* rest = nullptr);
    /// Passes each call as a sample over calls, those of a row together.
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
