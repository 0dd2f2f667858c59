// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <vector>

namespace tracefold {

/// Numbers the places of a pattern: items of its root, then of the body of each loop.
class PlaceNumbers {
  public:
    explicit PlaceNumbers(const Pattern& pattern);

    /// Of the first item; `body` 0 is the root, 1 + k loop k.
    [[nodiscard]] u32 first(std::size_t body) const { return first_[body]; }
    [[nodiscard]] u32 size() const { return first_.back(); }

  private:
    std::vector<u32> first_;
};

/// Walks a pattern call by call and tells which place of it each call is, so that a leaf which
/// stands in several places can have arguments of its own in each. Throws Error(corrupt) when a
/// count is 0 or the pattern ends early.
class PlaceWalk {
  public:
    struct Step {
        u32 place = 0;
        u64 count = 0;  ///< times that the item follows, if a walk comes to it; else 0
        bool is_call = false;
    };

    /// The source must outlive the walk.
    PlaceWalk(const FoldedSource& source, u32 pattern, const std::vector<NodeCount>& counts);

    /// The next loop that is entered, or the next call.
    Step next();

  private:
    struct Frame {
        std::size_t body;
        std::size_t next;
        u64 trips_left;
    };

    u64 count_of(u32 node);
    [[nodiscard]] const std::vector<u32>& items(std::size_t body) const {
        return body == 0 ? pattern_.root : pattern_.loops[body - 1];
    }

    const Pattern& pattern_;
    PlaceNumbers numbers_;
    std::vector<Frame> frames_;
    std::vector<u32> counts_of_;  ///< per node: index into counts_, kNone for always 1
    std::vector<ColumnCursor> counts_;
    u32 place_ = 0;  ///< of the running run
    u64 left_ = 0;   ///< calls of it
};

}  // namespace tracefold
