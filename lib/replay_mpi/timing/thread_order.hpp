// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
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

    /// Waits until a thread may issue a call that lasted from `begin` to `end`. The thread sleeps
    /// meanwhile, as in pthread_join: it takes no processor from those that it waits for. Cost: a
    /// store and two compares.
    void before_call(std::size_t thread, u64 begin, u64 end) {
        State& state = states_[thread];
        state.advance(end);
        if (!state.started || (state.ended < by_end_.size() && end_of(state.ended) <= begin)) {
            wait(thread, begin);
        }
    }
    /// A thread has no more calls.
    void end(std::size_t thread) { states_[thread].advance(kEnded); }
    /// Before the program starts again.
    void reset();

  private:
    /// How far a thread has come, and who waits for it.
    class State {
      public:
        bool started = false;   ///< of the thread itself, like the next
        std::size_t ended = 0;  ///< threads in by_end_ that were waited for

        void reset(u64 position);
        /// Of the thread itself: its present call ends at `position`.
        void advance(u64 position) {
            position_.store(position);
            if (position > awaited_.load()) wake();
        }
        /// Of any other thread: sleeps until this one has no call left to issue that had ended by
        /// `tick`.
        void wait_beyond(u64 tick);

      private:
        void wake();

        std::atomic<u64> position_{0};      ///< end of the present call, begin of the first one
        std::atomic<u64> awaited_{kEnded};  ///< the first tick beyond which somebody waits
        std::mutex mutex_;
        std::condition_variable advanced_;
    };

    static constexpr u64 kEnded = ~u64{0};

    void wait(std::size_t thread, u64 tick);
    [[nodiscard]] u64 end_of(std::size_t place) const { return lives_[by_end_[place]].end; }

    std::vector<Life> lives_;
    std::vector<std::size_t> by_end_;
    std::deque<State> states_;
};

}  // namespace tracefold
