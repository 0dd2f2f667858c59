// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "replay/detail/executor.hpp"
#include "replay/detail/location_replay.hpp"
#include "replay/rank_detail.hpp"
#include "replay/replay.hpp"
#include "replay/replay_result.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// One repetition of one rank, in nanoseconds.
struct RankRun {
    u64 wall = 0;           ///< from the common start to the end of the last call of all threads
    u64 communication = 0;  ///< time in calls of the thread of MPI_Init: others wait in parallel
    u64 delayed = 0;        ///< that thread could have run, but the processor ran something else
};

/// Replays one rank: its locations, their shared objects, and a thread for each. Construction and
/// run() are collective over MPI_COMM_WORLD.
class RankReplay {
  public:
    /// All must outlive this object.
    RankReplay(TraceFile& file, u32 world_rank, const std::vector<ReplayPatch>& patches,
               const ReplayOptions& options);
    RankReplay(const RankReplay&) = delete;
    RankReplay& operator=(const RankReplay&) = delete;
    ~RankReplay();

    /// Walks all calls without issuing them. Throws Error.
    void prepare();
    /// Exchanges data with the other ranks. Collective. Throws Error(io).
    void exchange() {
        sizes_.exchange(control_);
        executors_[0].neighbours().agree(control_);
        objects_.agree(control_, options_.scratch);
    }
    /// Allocates the memory of all locations. Throws Error(io).
    void allocate();
    /// Removes the program's files. Collective.
    void remove_files() { objects_.files.remove(); }
    /// Issues all calls once. Throws Error; on further threads, reports it and ends all processes.
    void run();

    /// Discards all measurements so far.
    void forget_runs();
    /// Makes run() compare its calls.
    void compare(bool wanted);
    /// Makes run() record the times of its calls.
    void keep_times(bool wanted);

    [[nodiscard]] MPI_Comm control() const { return control_; }
    [[nodiscard]] const std::deque<LocationReplay>& locations() const { return locations_; }
    /// The calls of all run() since the last call of this function, or since forget_runs().
    [[nodiscard]] SizedCalls take_calls();
    [[nodiscard]] std::map<std::string, u64> left_out() const;
    [[nodiscard]] u32 world_rank() const { return world_rank_; }
    /// Every run() since forget_runs().
    [[nodiscard]] const std::vector<RankRun>& runs() const { return runs_; }
    /// In seconds, of one repetition.
    [[nodiscard]] RankTimes recorded_times() const;
    /// The mean of all run(). Precondition: at least one.
    [[nodiscard]] RankTimes replayed_times() const;
    /// Seconds of requested computation in one repetition.
    [[nodiscard]] double asked_computation() const;
    [[nodiscard]] const Traffic& traffic() const { return traffic_; }
    [[nodiscard]] u64 buffer_bytes() const;
    /// Of all run() so far; empty without compare().
    [[nodiscard]] ProofResult proof() const;
    [[nodiscard]] const Inferences& inferences() const { return objects_.inferences; }

  private:
    [[nodiscard]] u64 communication() const;
    void run_location(std::size_t index, u64 start);
    /// Runs all locations, each but the first in its own thread.
    void run_threads(u64 start);
    template <class Work>
    void or_give_up(const Work& work);
    void free_requests();
    void open_device();
    void attach_buffer();
    void detach_buffer();

    const ReplayOptions& options_;
    u32 world_rank_;
    MPI_Comm control_ = MPI_COMM_NULL;
    TraceFile& file_;
    ProcessObjects objects_;
    SizeExchange sizes_;
    UnrecordedCalls unrecorded_;
    std::optional<DeviceRuntime> device_;  ///< unless buffers are of the host
    std::deque<Executor> executors_;
    std::deque<LocationReplay> locations_;
    std::deque<CallCheck> checks_;      ///< one per location, or none
    std::optional<ThreadOrder> order_;  ///< of several threads
    std::vector<char> attached_;
    Traffic traffic_;
    std::vector<RankRun> runs_;
};

/// Reduces the measurements of all ranks; complete on rank 0. Collective. Throws Error(io). Cost:
/// reductions, nothing per rank.
ReplayResult reduce_result(const TraceFile& file, const RankReplay& rank);

/// Merges the results of all processes, on rank 0; elsewhere a part. Collective. Throws Error(io).
ProofResult gather_proof(Communicator& world, const ProofResult& mine);

}  // namespace tracefold
