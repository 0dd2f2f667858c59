// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/matching_state.hpp"

namespace tracefold {

/// Reads the calls of a matching simulation and, where it walks in the order of times, lets no
/// thread of a rank begin a call before those of the others that came before. Messages that
/// different threads send one after the other then meet the receives that they met.
class ThreadTurns {
  public:
    /// The state must outlive this object.
    explicit ThreadTurns(MatchingState& state) : state_(state) {}

    /// Reads the walker's next call; false at the end.
    bool read(u32 walker);
    /// False if the walker has to wait with the call that was read.
    bool may_begin(u32 walker);
    /// A call of the walker has begun or ended: others may go on.
    void moved(u32 walker);
    /// If nobody can go on: lets the first of those that wait for another thread begin. False if
    /// nobody does.
    bool release();

  private:
    [[nodiscard]] bool is_ordered(u32 walker) const;
    [[nodiscard]] bool comes_before(u32 other, u32 walker);

    MatchingState& state_;
};

}  // namespace tracefold
