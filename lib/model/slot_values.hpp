// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/symbol.hpp"

namespace tracefold::inline model {

/// How many values of a call each of its slots has, told for one slot after the other.
class SlotValues {
  public:
    /// The slot's `first` value is looked at if it is a count.
    std::size_t count(SlotShape shape, const u64* first) {
        if (shape == SlotShape::count) repeat_ = *first;
        return shape == SlotShape::each ? repeat_ : 1;
    }

  private:
    u64 repeat_ = 0;
};

}  // namespace tracefold::inline model
