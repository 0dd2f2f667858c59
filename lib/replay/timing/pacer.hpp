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

/// Reads nanoseconds from the processor's cycle counter if its rate is constant, in less than half
/// the time of the system's clock; otherwise from the system's monotonic clock.
class CycleClock {
  public:
    /// Calibrates the counter against the system's clock for some milliseconds.
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

    [[nodiscard]] bool counts_cycles() const { return rate_ != 0; }
    /// The system's monotonic clock.
    static u64 of_system();

  private:
    u64 first_cycle_ = 0;
    u64 first_ = 0;    ///< nanoseconds at that cycle
    double rate_ = 0;  ///< nanoseconds per cycle; 0: counter not used
};

inline const CycleClock& process_clock() {
    static const CycleClock clock;
    return clock;
}
/// Nanoseconds of a monotonic clock. Cost: 10 ns, or the system clock's; milliseconds at first.
inline u64 clock_now() { return process_clock().now(); }

/// The smallest difference between two readings, in nanoseconds. Cost: microseconds.
u64 clock_resolution();

/// A common time shortly ahead, in the local clock of each process (clock_now()): clock offsets to
/// rank 0 are measured by round trips. Collective. Throws Error(io). Cost: some round trips per
/// process, one process after the other.
u64 agree_on_start(MPI_Comm comm);

/// Waits until `moment`.
void wait_until(u64 moment);

/// Emulation of computation between calls.
enum class Deltas : u8 {
    none,    ///< no computation
    mean,    ///< each gap lasts its mean
    sample,  ///< drawn at random from similar gaps
    exact,   ///< each gap as recorded
};

struct PacerOptions {
    Deltas deltas = Deltas::none;
    double scale = 1.0;  ///< of computation
    bool sleep = false;  ///< yield the core instead of spinning
    TickRate rate;       ///< of recorded times
    u64 seed = 0;        ///< of Deltas::sample
};

/// Emulates computation between the calls of one location. A gap begins at the end of the previous
/// call, so it includes the time to find the next call; later gaps compensate for excess time.
class Pacer {
  public:
    explicit Pacer(const PacerOptions& options)
        : options_(options), nanoseconds_(options.scale * options.rate.nanoseconds_per_tick()) {}

    /// Sets the nanoseconds from before_call() to the call itself, which count as computation.
    void set_lead(u64 nanoseconds) { lead_ = nanoseconds; }

    /// The replay begins at `now`, the recorded program at `ticks`.
    void start(u64 now, u64 ticks) {
        last_end_ = now;
        last_ticks_ = ticks;
        due_ = 0;
    }

    /// Waits until a call recorded at `ticks` is due, and returns its begin. Meanwhile calls
    /// `work()`, about kWork nanoseconds each, until it returns false.
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

    /// Nanoseconds by which the last gap was too long; later gaps compensate.
    [[nodiscard]] double late() const { return due_ < 0 ? -due_ : 0; }
    /// Nanoseconds of all gaps so far, as requested.
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
    double due_ = 0;  ///< nanoseconds of computation since last_end_; negative: late
};

/// Preserves the recorded order between the lives of a process's threads, since their creation and
/// join are not replayed: the first call of a thread follows all calls that had ended by then, and
/// every call follows the last one of threads that had ended by then. Times are those of the trace,
/// from one clock per process.
class ThreadOrder {
  public:
    /// From the begin of the first call to the end of the last one.
    struct Life {
        u64 begin = 0;
        u64 end = 0;
    };

    explicit ThreadOrder(std::vector<Life> lives);

    /// Waits until a thread may issue a call recorded from `begin` to `end`. The thread sleeps, as
    /// in pthread_join: it takes no processor from awaited threads. Cost: a store and two compares.
    void before_call(std::size_t thread, u64 begin, u64 end) {
        State& state = states_[thread];
        state.advance(end);
        if (!state.started || (state.ended < by_end_.size() && end_of(state.ended) <= begin)) {
            wait(thread, begin);
        }
    }
    /// Ends a thread.
    void end(std::size_t thread) { states_[thread].advance(kEnded); }
    /// Call before the program starts again.
    void reset();

  private:
    /// The progress of a thread.
    class State {
      public:
        bool started = false;   ///< used by the thread itself, like `ended`
        std::size_t ended = 0;  ///< threads in by_end_ already waited for

        void reset(u64 position);
        /// By the thread itself: its current call ends at `position`.
        void advance(u64 position) {
            position_.store(position);
            if (position > awaited_.load()) wake();
        }
        /// By another thread: sleeps until this one has issued all calls that had ended by `tick`.
        void wait_beyond(u64 tick);

      private:
        void wake();

        std::atomic<u64> position_{0};      ///< end of the current call, begin of the first one
        std::atomic<u64> awaited_{kEnded};  ///< least tick that another thread waits for
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
