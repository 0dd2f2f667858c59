// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/path_history.hpp"

#include <algorithm>
#include <array>
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

/// The way to a moment in the first scenario: one that is kept, and the few costs behind it.
class Way {
  public:
    using Cost = PathHistory::Cost;

    PathHistory::Ref history = kNone;

    [[nodiscard]] std::span<const Cost> last() const { return {last_.data(), count_}; }

    /// Goes on.
    void add(const Cost& cost, PathHistory& histories) {
        if (cost.time == 0) return;
        if (count_ != 0 && last_[count_ - 1].key == cost.key) {
            last_[count_ - 1].time += cost.time;
            return;
        }
        if (count_ == last_.size()) settle(histories);
        last_[count_++] = cost;
    }
    /// Puts the costs into the way that is kept, so that others can have it in common.
    void settle(PathHistory& histories) {
        history = histories.extend(history, last());
        count_ = 0;
    }
    /// Becomes another way.
    void take(const Way& other, PathHistory& histories) {
        histories.hold(other.history);
        histories.release(history);
        history = other.history;
        count_ = other.count_;
        last_ = other.last_;
    }
    /// Becomes one that is kept, or the beginning of everything.
    void take(PathHistory::Ref kept, PathHistory& histories) {
        histories.hold(kept);
        histories.release(history);
        history = kept;
        count_ = 0;
    }

  private:
    u32 count_ = 0;
    std::array<Cost, 7> last_{};
};

/// Moments on some rank, each in all scenarios, which are used again: by number the clocks of a
/// moment, its way, and who sent the message that comes then.
class MomentPool {
  public:
    using Id = u32;

    MomentPool(std::size_t scenarios, PathHistory& histories)
        : scenarios_(scenarios), histories_(histories) {}

    /// One whose clocks are to be set.
    Id take() {
        if (free_.empty()) {
            free_.push_back(static_cast<Id>(ways_.size()));
            ways_.emplace_back();
            senders_.emplace_back();
            clocks_.resize(clocks_.size() + scenarios_);
        }
        const Id id = free_.back();
        free_.pop_back();
        senders_[id] = kNone;
        return id;
    }
    void give_back(Id id) {
        ways_[id].take(kNone, histories_);
        free_.push_back(id);
    }
    /// By scenario; valid until take().
    [[nodiscard]] Clock* clocks(Id id) { return clocks_.data() + id * scenarios_; }
    [[nodiscard]] i64 time(Id id) const { return clocks_[id * scenarios_].time; }
    /// Valid until take().
    [[nodiscard]] Way& way(Id id) { return ways_[id]; }
    /// kNone: no message comes.
    [[nodiscard]] u32& sender(Id id) { return senders_[id]; }

  private:
    std::size_t scenarios_;
    PathHistory& histories_;
    std::vector<Clock> clocks_;
    std::vector<Way> ways_;
    std::vector<u32> senders_;
    std::vector<Id> free_;
};

}  // namespace tracefold
