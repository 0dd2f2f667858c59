// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <atomic>
#include <deque>
#include <vector>

namespace tracefold {

/// Keeps the lives of the threads of a process apart as they were recorded, since nothing else
/// replays how they were started and joined: the first call of a thread follows all calls that had
/// ended by then, and every call follows the last one of threads that had ended by then. Times
/// are those of the trace, which one process reads from one clock.
class ThreadOrder {
  public:
    /// From the begin of the first call to the end of the last one.
    struct Life {
        u64 begin = 0;
        u64 end = 0;
    };

    explicit ThreadOrder(std::vector<Life> lives);

    /// Waits until a thread may issue a call that lasted from `begin` to `end`. Cost: a store and a
    /// compare.
    void before_call(std::size_t thread, u64 begin, u64 end) {
        State& state = states_[thread];
        state.position.store(end, std::memory_order_release);
        if (!state.started || (state.ended < by_end_.size() && end_of(state.ended) <= begin)) {
            wait(thread, begin);
        }
    }
    /// A thread has no more calls.
    void end(std::size_t thread) {
        states_[thread].position.store(kEnded, std::memory_order_release);
    }
    /// Before the program starts again.
    void reset();

  private:
    struct State {
        std::atomic<u64> position{0};  ///< end of the present call, begin of the first one
        bool started = false;          ///< of the thread itself, like the next
        std::size_t ended = 0;         ///< threads in by_end_ that were waited for
    };

    static constexpr u64 kEnded = ~u64{0};

    void wait(std::size_t thread, u64 tick);
    /// Until a thread has no call left to issue that had ended by `tick`.
    void wait_for(std::size_t thread, u64 tick) const;
    [[nodiscard]] u64 end_of(std::size_t place) const { return lives_[by_end_[place]].end; }

    std::vector<Life> lives_;
    std::vector<std::size_t> by_end_;
    std::deque<State> states_;
};

}  // namespace tracefold
