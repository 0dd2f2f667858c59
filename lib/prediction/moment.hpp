// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/path_history.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tracefold {

/// A time, and how often the parameters of the network are part of it: its derivatives.
struct Clock {
    i64 time = 0;       ///< picoseconds
    u64 bytes = 0;      ///< G
    u32 latencies = 0;  ///< L
    u32 overheads = 0;  ///< o
};

/// The later of two. Of those at the same time each derivative is the greater one: what one more of
/// a parameter costs, where one fewer saves less.
inline Clock later(const Clock& a, const Clock& b) {
    if (a.time != b.time) return a.time > b.time ? a : b;
    return {a.time, std::max(a.bytes, b.bytes), std::max(a.latencies, b.latencies),
            std::max(a.overheads, b.overheads)};
}

/// Moments on some rank, each in all scenarios, which are used again: by number the clocks of a
/// moment, its way in the first scenario, and who sent the message that comes then.
class MomentPool {
  public:
    using Id = u32;

    explicit MomentPool(std::size_t scenarios) : scenarios_(scenarios) {}

    /// One whose clocks are to be set.
    Id take() {
        if (free_.empty()) {
            free_.push_back(static_cast<Id>(ways_.size()));
            ways_.push_back(kNone);
            senders_.emplace_back();
            clocks_.resize(clocks_.size() + scenarios_);
        }
        const Id id = free_.back();
        free_.pop_back();
        senders_[id] = kNone;
        return id;
    }
    void give_back(Id id) {
        ways_[id] = kNone;
        free_.push_back(id);
    }
    /// By scenario; valid until take().
    [[nodiscard]] Clock* clocks(Id id) { return clocks_.data() + id * scenarios_; }
    [[nodiscard]] i64 time(Id id) const { return clocks_[id * scenarios_].time; }
    /// Valid until take().
    [[nodiscard]] PathHistory::Ref& way(Id id) { return ways_[id]; }
    /// Of all moments, and kNone where there is none.
    [[nodiscard]] std::span<PathHistory::Ref> ways() { return ways_; }
    /// kNone: no message comes.
    [[nodiscard]] u32& sender(Id id) { return senders_[id]; }

  private:
    std::size_t scenarios_;
    std::vector<Clock> clocks_;
    std::vector<PathHistory::Ref> ways_;
    std::vector<u32> senders_;
    std::vector<Id> free_;
};

}  // namespace tracefold
