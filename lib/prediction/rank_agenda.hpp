// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/event_queue.hpp"
#include "prediction/walk_event.hpp"

#include <algorithm>

namespace tracefold {

/// From when on a rank can do something, in the first scenario.
struct RankFree {
    i64 processor = 0;
    i64 to_send = 0;     ///< its adapter as well
    i64 to_process = 0;  ///< the same, for messages that come
};

/// What is to happen on one rank. All that has come waits until the rank is free, so that only
/// messages that are still under way have times of their own.
class RankAgenda {
  public:
    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// The time of the key counts for messages only: when it comes.
    void add(WalkEvent event) {
        ++size_;
        if (event.kind == WalkEvent::Kind::message) return coming_.push(event);
        event.key.time = 0;
        (event.kind == WalkEvent::Kind::strand ? strands_ : sends_).push(event);
    }
    /// When the first one happens. Precondition: not empty().
    EventKey first(const RankFree& free) {
        const i64 can_process = std::max(free.processor, free.to_process);
        // One that is alone need not be put into any order.
        if (coming_.size() > 1 || !come_.empty()) take_in(can_process);
        EventKey key = kNever;
        consider(strands_, free.processor, key);
        consider(sends_, std::max(free.processor, free.to_send), key);
        consider(come_, can_process, key);
        if (!coming_.empty()) {
            consider(coming_, std::max(coming_.top().key.time, can_process), key);
        }
        return key;
    }
    /// Takes out what first() said last.
    WalkEvent take_first() {
        --size_;
        return first_->take();
    }

  private:
    using Queue = EventQueue<WalkEvent>;

    void take_in(i64 can_process) {
        while (!coming_.empty() && coming_.top().key.time <= can_process) {
            WalkEvent event = coming_.take();
            event.key.time = 0;
            come_.push(event);
        }
    }
    void consider(Queue& queue, i64 time, EventKey& first) {
        if (queue.empty()) return;
        const EventKey key{time, queue.top().key.turn};
        if (!(first > key)) return;
        first = key;
        first_ = &queue;
    }

    Queue strands_;  ///< these three by turn
    Queue sends_;
    Queue come_;              ///< messages
    Queue coming_;            ///< and those under way, by time
    Queue* first_ = nullptr;  ///< which one has the first
    std::size_t size_ = 0;
};

}  // namespace tracefold
