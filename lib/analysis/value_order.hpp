// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_values.hpp"

#include <vector>

namespace tracefold {

/// What numbers do one after the other.
enum class ValueOrder : u8 {
    none,         ///< anything else
    progression,  ///< every number is the one before plus a step that is not 0
    in_turn,      ///< the same different numbers over and over
    phases,       ///< each number comes in one stretch, of which one at least is longer than 1
};

/// Finds the order of numbers that are added in order, at once or with what repeats passed twice
/// (visit_rows()). Cost: O(1) per run.
class OrderFinder {
  public:
    /// More different numbers than this have no order but a progression.
    static constexpr std::size_t kMostNumbers = 8;

    void add(const ValueRun& run);

    /// Whether any order is still possible.
    [[nodiscard]] bool is_open() const {
        return could_be_progression_ || could_be_in_turn_ || could_be_phases_;
    }
    [[nodiscard]] ValueOrder order() const;
    /// Of a progression.
    [[nodiscard]] u64 step() const { return step_; }

  private:
    void add_progression(const ValueRun& run);
    void add_in_turn(u64 value);
    void add_phase(u64 value);

    u64 count_ = 0;
    u64 last_ = 0;

    bool could_be_progression_ = true;
    u64 step_ = 0;

    bool could_be_in_turn_ = true;
    std::vector<u64> turn_;  ///< the numbers before the first one came again
    bool returned_ = false;  ///< it has
    std::size_t next_ = 0;   ///< in the turn

    bool could_be_phases_ = true;
    std::vector<u64> phases_;  ///< the number of each stretch
    bool has_stretch_ = false;
};

}  // namespace tracefold
