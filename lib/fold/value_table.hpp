// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// Numbers distinct 64-bit values 0, 1, 2, ... in the order of their first appearance. Open
/// addressing with linear probing; one allocation per doubling.
class ValueTable {
  public:
    u32 intern(u64 value);

    [[nodiscard]] const std::vector<u64>& values() const { return values_; }
    void clear();

  private:
    void grow();
    [[nodiscard]] std::size_t slot_of(u64 value) const;

    std::vector<u64> values_;
    std::vector<u32> slots_;  ///< index into values_ + 1; 0: free
};

}  // namespace tracefold
