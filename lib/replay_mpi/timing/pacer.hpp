// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "replay_mpi/timing/clock.hpp"

namespace tracefold {

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

}  // namespace tracefold
