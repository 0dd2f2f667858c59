// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <optional>
#include <vector>

namespace tracefold {

/// Which target the matching ids of a window's pending operations belong to: a flush records the
/// ids, but not its target. Operations of one direction that are pending at one target share an id.
class PendingTransfers {
  public:
    /// `targets`: processes of the window.
    explicit PendingTransfers(std::size_t targets) : ids_{Ids(targets, 0), Ids(targets, 0)} {}

    [[nodiscard]] std::size_t targets() const { return ids_[0].size(); }
    /// Precondition: target < targets(). Ids are never 0.
    void note(bool incoming, u32 target, u64 id) {
        ids_[incoming ? 1 : 0][target] = id;
        last_ = target;
    }
    /// Cost: O(1) for the last target, else O(targets).
    [[nodiscard]] std::optional<u32> target_of(u64 id) const;
    [[nodiscard]] u32 last_target() const { return last_; }

  private:
    using Ids = std::vector<u64>;

    std::array<Ids, 2> ids_;  ///< by direction and target
    u32 last_ = 0;
};

}  // namespace tracefold
