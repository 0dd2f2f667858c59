// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tracefold {

/// A sweep over time: goes through the records of several locations in the order of their times. A
/// Walk has next(), false at its end, time() of its record, and now(): what its location does from
/// the record on.
template <class Walk>
class TimeSweep {
  public:
    template <class... Arguments>
    void add(Arguments&&... arguments) {
        walks_.emplace_back(std::forward<Arguments>(arguments)...);
    }

    /// At every record: `until(time)`, then `count(state, -1)` for what its location has done so
    /// far and `count(state, 1)` for what it does from now on. Call once.
    template <class Until, class Count>
    void run(const Until& until, const Count& count) {
        for (const Walk& walk : walks_) shown_.push_back(walk.now());
        for (const State& state : shown_) count(state, 1);
        const auto show = [&](u32 number) {
            count(shown_[number], -1);
            shown_[number] = walks_[number].now();
            count(shown_[number], 1);
        };
        for (u32 number = 0; number < walks_.size(); ++number) {
            if (!read(number)) show(number);
        }
        while (!next_.empty()) {
            const auto [time, number] = next_.top();
            next_.pop();
            until(time);
            show(number);
            if (!read(number)) show(number);
        }
    }

  private:
    using State = std::decay_t<decltype(std::declval<const Walk&>().now())>;
    using Next = std::pair<u64, u32>;

    bool read(u32 number) {
        const bool more = walks_[number].next();
        if (more) next_.emplace(walks_[number].time(), number);
        return more;
    }

    std::deque<Walk> walks_;
    std::vector<State> shown_;  ///< by walk
    /// Times of the records that were read last, by walk.
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
};

}  // namespace tracefold
