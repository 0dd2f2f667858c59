// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/tick_rate.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// Tells nanoseconds from the processor's cycle counter where that runs at the same rate for ever,
/// in less than half the time that the system takes; from the system's monotonic clock elsewhere.
class CycleClock {
  public:
    /// Compares the counter with the system's clock for some milliseconds.
    CycleClock();

    [[nodiscard]] u64 now() const {
#if defined(__x86_64__)
        if (rate_ != 0) [[likely]] {
            const auto cycles = static_cast<i64>(__builtin_ia32_rdtsc() - first_cycle_);
            return first_ + static_cast<u64>(static_cast<double>(cycles) * rate_);
        }
#endif
        return of_system();
    }

    /// The system's monotonic clock.
    static u64 of_system();

  private:
    u64 first_cycle_ = 0;
    u64 first_ = 0;    ///< nanoseconds at that cycle
    double rate_ = 0;  ///< nanoseconds per cycle; 0: the counter is not used
};

/// Nanoseconds of a clock that only goes forward. Cost: 10 ns, or what the system's clock takes;
/// the first call some milliseconds.
inline u64 clock_now() {
    static const CycleClock clock;
    return clock.now();
}

/// A moment a little ahead, the same for all processes, by the clock of each (clock_now()): the
/// distance of the clocks to that of rank 0 is measured by messages back and forth. Collective.
/// Throws Error(io). Cost: some round trips per process, one process after the other.
u64 agree_on_start(MPI_Comm comm);

/// Waits until the clock shows that moment.
void wait_until(u64 moment);

/// Which computation between calls is imitated.
enum class Deltas : u8 {
    none,    ///< the next call follows at once
    mean,    ///< every gap as long as it was on average
    sample,  ///< as long as one of its like, drawn by chance
    exact,   ///< every gap as recorded
};

struct PacerOptions {
    Deltas deltas = Deltas::none;
    double scale = 1.0;  ///< of computation
    bool sleep = false;  ///< give the core away instead of keeping it busy
    TickRate rate;       ///< of recorded times
    u64 seed = 0;        ///< of Deltas::sample
};

/// Lets computation pass between the calls of one location. A gap is counted from the end of the
/// call before, so that the time which the replay itself takes to find the next call is part of it;
/// what a gap was exceeded by is taken from those that follow.
class Pacer {
  public:
    explicit Pacer(const PacerOptions& options)
        : options_(options), nanoseconds_(options.scale * options.rate.nanoseconds_per_tick()) {}

    /// From the moment that before_call() tells to the call itself it takes `nanoseconds`, which
    /// are part of the computation.
    void set_lead(u64 nanoseconds) { lead_ = nanoseconds; }

    /// The replay begins now; the recorded program was at `ticks`.
    void start(u64 now, u64 ticks) {
        last_end_ = now;
        last_ticks_ = ticks;
        due_ = 0;
    }

    /// Waits until a call that was begun at `ticks` is due, and returns when it will begin. While
    /// there is time `work()` is called, for about kWork nanoseconds each, until it returns false.
    template <class Work>
    u64 before_call(u64 ticks, const Work& work) {
        if (options_.deltas == Deltas::none) return clock_now() + lead_;
        const double gap = static_cast<double>(ticks - last_ticks_) * nanoseconds_;
        due_ += gap;
        asked_ += gap;
        const u64 begin = due_ > 0 ? last_end_ + static_cast<u64>(due_) : last_end_;
        const u64 target = begin - lead_;
        u64 now = clock_now();
        while (now + kWork < target && work()) now = clock_now();
        if (now < target) now = wait_until(target);
        // Fractions and lateness carry over.
        due_ -= static_cast<double>(now + lead_ - last_end_);
        return now + lead_;
    }
    u64 before_call(u64 ticks) {
        return before_call(ticks, [] { return false; });
    }

    /// The call has ended.
    void after_call(u64 now, u64 ticks) {
        last_end_ = now;
        last_ticks_ = ticks;
    }

    /// Nanoseconds that the last gap was too long, and that those to come are to make up for.
    [[nodiscard]] double late() const { return due_ < 0 ? -due_ : 0; }
    /// Nanoseconds of all gaps so far, however long they took.
    [[nodiscard]] double asked() const { return asked_; }
    void forget_asked() { asked_ = 0; }

  private:
    static constexpr u64 kWork = 1000;

    [[nodiscard]] u64 wait_until(u64 target) const;

    PacerOptions options_;
    double nanoseconds_;  ///< per tick
    u64 lead_ = 0;
    u64 last_end_ = 0;
    u64 last_ticks_ = 0;
    double asked_ = 0;
    double due_ = 0;  ///< nanoseconds of computation since last_end_; less than 0: late
};

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
