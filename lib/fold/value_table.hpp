// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// Numbers distinct 64-bit values 0, 1, 2, ... in the order of their first appearance. Cost: a
/// compare if the value follows the one that it followed last time, else a search by open
/// addressing with linear probing; one allocation per doubling.
class ValueTable {
  public:
    u32 intern(u64 value) {
        if (last_ < followers_.size() && values_[followers_[last_]] == value) {
            return last_ = followers_[last_];
        }
        return search(value);
    }

    [[nodiscard]] const std::vector<u64>& values() const { return values_; }
    void clear();

  private:
    u32 search(u64 value);
    void grow();
    [[nodiscard]] std::size_t slot_of(u64 value) const;

    std::vector<u64> values_;
    std::vector<u32> slots_;      ///< index into values_ + 1; 0: free
    std::vector<u32> followers_;  ///< by value: the one that came after it last time
    u32 last_ = kNone;            ///< the value of the last call
};

}  // namespace tracefold
