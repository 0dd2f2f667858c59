// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/walk_event.hpp"

#include <bit>
#include <vector>

namespace tracefold {

/// Which rank has something to do first: a tournament. Cost of a change: the logarithm of the
/// ranks.
class RankOrder {
  public:
    /// None has anything to do.
    explicit RankOrder(u32 ranks)
        : leaves_(std::bit_ceil(ranks)), keys_(leaves_, kNever), winners_(2 * leaves_) {
        for (u32 rank = 0; rank < leaves_; ++rank) winners_[leaves_ + rank] = rank;
        for (u32 node = leaves_ - 1; node != 0; --node) winners_[node] = winners_[2 * node];
    }

    [[nodiscard]] u32 first() const { return winners_[1]; }
    [[nodiscard]] const EventKey& key(u32 rank) const { return keys_[rank]; }
    void set(u32 rank, const EventKey& key) {
        keys_[rank] = key;
        u32 winner = rank;
        for (u32 node = leaves_ + rank; node != 1; node /= 2) {
            const u32 other = winners_[node ^ 1U];
            winner = keys_[winner] > keys_[other] ? other : winner;
            winners_[node / 2] = winner;
        }
    }
    [[nodiscard]] EventKey first_of_others(u32 rank) const {
        EventKey first = kNever;
        for (u32 node = leaves_ + rank; node != 1; node /= 2) {
            const EventKey& key = keys_[winners_[node ^ 1U]];
            if (first > key) first = key;
        }
        return first;
    }

  private:
    u32 leaves_;
    std::vector<EventKey> keys_;  ///< by rank
    std::vector<u32> winners_;    ///< by node: 1 is the last match, and leaves_ on the ranks
};

}  // namespace tracefold
