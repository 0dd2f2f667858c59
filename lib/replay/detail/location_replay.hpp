// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/call_buffer.hpp"
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

/// Nanoseconds that a location takes for a short call beyond what the call itself takes: messages
/// to nobody are issued, beside a loop of the same calls, and medians compared. `world`: the
/// communicator of all processes; kNone: 0. Cost: some hundred microseconds. Throws Error(io).
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

/// Calls of one function by one location: what the trace says, and what was done in all
/// repetitions.
struct CallCounter {
    u64 calls = 0;
    Volume volume;
    u64 recorded_ticks = 0;
    u64 issued = 0;
    Volume issued_volume;
    u64 replayed_nanoseconds = 0;
};
using CallCounters = std::array<CallCounter, kMpiFunctions>;

/// One location of a rank: its calls are walked twice, first to find out what they need, then to
/// issue them.
class LocationReplay {
  public:
    /// All must outlive this object.
    /// `patch` is null if nothing was inferred for the location.
    LocationReplay(TraceFile& file, u32 location, const ReplayPatch* patch, Executor& executor,
                   const PacerOptions& pacing);

    /// Each call of run() is compared with what MPI was asked for (null: none is); `check` must
    /// outlive this object.
    void set_check(CallCheck* check) { check_ = check; }
    /// Whether run() keeps the times of its calls.
    void keep_times(bool keep) { keeps_times_ = keep; }
    /// Those of the last run() that kept them.
    [[nodiscard]] const MeasuredCallTimes& times() const { return times_; }
    [[nodiscard]] u32 location() const { return location_; }

    /// The first walk. What is sent is added to `traffic`. Throws Error.
    void prepare(Traffic& traffic);
    /// The recorded program's first call after MPI_Init, in ticks.
    [[nodiscard]] u64 start_ticks() const { return start_ticks_; }

    /// Communicators of the rank that exist from the start, since no call makes them.
    [[nodiscard]] std::span<const u64> early_communicators() const {
        if (patch_ == nullptr) return {};
        return patch_->early_communicators;
    }
    /// Before a part of the program: makes what it needs. Throws Error.
    void set_up();

    /// Finds out what issuing a call takes, so that it is not part of the call. Before run().
    /// `world`: the communicator of all processes. Throws Error(io).
    void learn_overhead(u64 world) {
        pacer_.set_lead(issue_overhead(executor_, in_flight_, world));
    }

    /// Unwinds from the beginning again, so that run() can begin at once, and its first calls have
    /// been read if it keeps to times.
    /// `in_order`: with other threads, by the times of calls.
    void rewind(bool in_order);
    /// The second walk: begins when the clock says `start`, and the trace `ticks`. `order`, if not
    /// null, keeps it in order with other threads, of which it is number `thread`. Throws Error.
    void run(u64 start, u64 ticks, ThreadOrder* order, std::size_t thread);
    /// True if only a part of the program is replayed.
    [[nodiscard]] bool has_window() const { return patch_ != nullptr && patch_->has_window(); }

    [[nodiscard]] const CallCounters& counters() const { return counters_; }
    /// In all run() that are not forgotten.
    [[nodiscard]] const SizedCalls& sized_calls() const { return sized_calls_; }
    [[nodiscard]] u64 calls() const { return calls_; }
    [[nodiscard]] u64 counted() const { return counted_; }
    /// Calls that cannot be issued, by the name of their region.
    [[nodiscard]] const std::map<std::string, u64>& left_out() const { return left_out_; }
    /// Calls whose records tell of communication, and those of them that are issued.
    [[nodiscard]] u64 communicating() const { return communicating_; }
    [[nodiscard]] u64 issued_communicating() const { return issued_communicating_; }
    /// Of all calls that will be issued, in ticks.
    [[nodiscard]] ThreadOrder::Life life() const { return life_; }
    /// Recorded ticks from the start to the end of the last call, or to MPI_Finalize.
    [[nodiscard]] u64 recorded_ticks() const { return end_ticks_ - start_ticks_; }
    /// Nanoseconds of the last run().
    [[nodiscard]] u64 wall() const { return wall_; }
    /// Nanoseconds that had to pass between calls, in all run() that are not forgotten.
    [[nodiscard]] double asked_computation() const { return pacer_.asked(); }
    /// What run() counted so far does not matter.
    void forget_runs();

    [[nodiscard]] const CallInFlight& in_flight() const { return in_flight_; }

  private:
    void count(const MpiCall& mpi_call);
    void measure(const MpiCall& mpi_call, u64 nanoseconds);
    void issue(const MpiCall& mpi_call);
    void infer_neighbours(MpiCall& mpi_call);
    /// Which times the pacer goes by.
    [[nodiscard]] Times paced_times() const;
    void begin_pacing(const MpiCall& mpi_call, u64 start);

    TraceFile& file_;
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
