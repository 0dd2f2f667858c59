// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/call_buffer.hpp"
#include "mpi/unrecorded_calls.hpp"
#include "replay/detail/executor.hpp"
#include "replay/detail/watchdog.hpp"
#include "replay/proof/call_check.hpp"
#include "replay/rank_detail.hpp"
#include "replay/record/time_map.hpp"
#include "replay/timing/pacer.hpp"

#include <array>
#include <map>
#include <string>

namespace tracefold {

/// The overhead of a location for a short call in nanoseconds: the difference of medians between
/// issued messages to MPI_PROC_NULL and a bare loop of the same calls. `world`: the communicator of
/// all processes; kNone: 0. Cost: some hundred microseconds. Throws Error(io).
u64 issue_overhead(Executor& executor, CallInFlight& in_flight, u64 world);

/// Bytes of a call as OTF2 counts them.
struct Volume {
    u64 sent = 0;
    u64 received = 0;

    Volume& operator+=(const Volume& other) {
        sent += other.sent;
        received += other.received;
        return *this;
    }
    bool operator==(const Volume&) const = default;
};

/// Calls of one function by one location: as recorded, and as issued in all repetitions.
struct CallCounter {
    u64 calls = 0;
    Volume volume;
    u64 recorded_ticks = 0;
    u64 issued = 0;
    Volume issued_volume;
    u64 replayed_nanoseconds = 0;
};
using CallCounters = std::array<CallCounter, kMpiFunctions>;

/// Replays one location of a rank. Walks its calls twice: to prepare them, then to issue them.
class LocationReplay {
  public:
    /// All must outlive this object. `patch` is null without inferences for the location.
    /// `unrecorded`: functions that are not issued.
    LocationReplay(TraceFile& file, u32 location, const ReplayPatch* patch, Executor& executor,
                   const PacerOptions& pacing, const UnrecordedCalls& unrecorded);

    /// run() compares each call with the trace unless null; `check` must outlive this object.
    void set_check(CallCheck* check) { check_ = check; }
    /// Makes run() record the times of its calls.
    void keep_times(bool keep) { keeps_times_ = keep; }
    /// The times of the last run() that recorded them.
    [[nodiscard]] const MeasuredCallTimes& times() const { return times_; }
    [[nodiscard]] u32 location() const { return location_; }

    /// The first walk. Adds sent bytes to `traffic`. Throws Error.
    void prepare(Traffic& traffic);
    /// The first call after MPI_Init in the trace, in ticks.
    [[nodiscard]] u64 start_ticks() const { return start_ticks_; }

    /// Communicators of the rank that exist from the start, since no call makes them.
    [[nodiscard]] std::span<const u64> early_communicators() const {
        if (patch_ == nullptr) return {};
        return patch_->early_communicators;
    }
    /// Prepares a part of the program. Throws Error.
    void set_up();

    /// Measures the overhead of issuing a call and excludes it from the call. Call before run().
    /// `world`: the communicator of all processes. Throws Error(io).
    void learn_overhead(u64 world) {
        pacer_.set_lead(issue_overhead(executor_, in_flight_, world));
    }

    /// Rewinds, so that run() begins at once; with pacing, reads the first calls. `in_order`: by
    /// the times of calls, with other threads.
    void rewind(bool in_order);
    /// The second walk: begins at clock time `start` and trace time `ticks`. `order` (or null)
    /// orders it with other threads; this one is number `thread`. Throws Error.
    void run(u64 start, u64 ticks, ThreadOrder* order, std::size_t thread);
    /// True if only a part of the program is replayed.
    [[nodiscard]] bool has_window() const { return patch_ != nullptr && patch_->has_window(); }

    [[nodiscard]] const CallCounters& counters() const { return counters_; }
    /// Of all run() since the last call of this function, or since forget_runs().
    [[nodiscard]] SizedCalls take_calls() {
        const SizedCalls taken = sized_calls_;
        sized_calls_.clear();
        return taken;
    }
    [[nodiscard]] u64 calls() const { return calls_; }
    [[nodiscard]] u64 counted() const { return counted_; }
    /// Calls that cannot be issued, by the name of their region.
    [[nodiscard]] const std::map<std::string, u64>& left_out() const { return left_out_; }
    /// Calls whose records contain communication, and the issued ones among them.
    [[nodiscard]] u64 communicating() const { return communicating_; }
    [[nodiscard]] u64 issued_communicating() const { return issued_communicating_; }
    /// Of all issued calls, in ticks.
    [[nodiscard]] ThreadOrder::Life life() const { return life_; }
    /// Recorded ticks from the start to the end of the last call, or to MPI_Finalize.
    [[nodiscard]] u64 recorded_ticks() const { return end_ticks_ - start_ticks_; }
    /// Nanoseconds of the last run().
    [[nodiscard]] u64 wall() const { return wall_; }
    /// Nanoseconds of requested computation in all run() since forget_runs().
    [[nodiscard]] double asked_computation() const { return pacer_.asked(); }
    /// Discards the counts of all run() so far.
    void forget_runs();

    [[nodiscard]] const CallInFlight& in_flight() const { return in_flight_; }

  private:
    void count(const MpiCall& mpi_call);
    void measure(const MpiCall& mpi_call, u64 nanoseconds);
    /// False if the call communicated in the trace, and MPI got no call for it.
    bool issue(const MpiCall& mpi_call);
    void infer_neighbours(MpiCall& mpi_call);
    /// The times used for pacing.
    [[nodiscard]] Times paced_times() const;
    void begin_pacing(const MpiCall& mpi_call, u64 start);

    TraceFile& file_;
    const UnrecordedCalls& unrecorded_;
    u32 location_;
    const ReplayPatch* patch_;
    PacerOptions pacing_;
    Executor& executor_;
    Pacer pacer_;
    CallBuffer calls_ahead_;
    bool paced_ = false;  ///< the pacer has begun
    CallInFlight in_flight_;
    CallCheck* check_ = nullptr;
    bool keeps_times_ = false;
    MeasuredCallTimes times_;
    Observation observation_;
    CallCounters counters_{};
    SizedCalls sized_calls_;
    u64 calls_ = 0;
    u64 counted_ = 0;
    std::map<std::string, u64> left_out_;
    u64 communicating_ = 0;
    u64 issued_communicating_ = 0;
    u64 start_ticks_ = 0;
    u64 end_ticks_ = 0;
    u64 wall_ = 0;
    ThreadOrder::Life life_{~u64{0}, 0};
};

}  // namespace tracefold
