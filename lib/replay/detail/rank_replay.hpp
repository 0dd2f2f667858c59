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
    u64 communication = 0;  ///< in calls, of the thread that called MPI_Init: others wait beside it
};

/// The replay of one rank: its locations, what they share, and one thread for each. Construction
/// and run() are collective over MPI_COMM_WORLD.
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
    /// Tells the other ranks what they need to know. Collective. Throws Error(io).
    void exchange() {
        sizes_.exchange(control_);
        executors_[0].neighbours().agree(control_);
        objects_.agree(control_, options_.scratch);
    }
    /// Gets the memory that they need. Throws Error(io).
    void allocate();
    /// Removes what the program wrote. Collective.
    void remove_files() { objects_.files.remove(); }
    /// Issues all calls once. Throws Error; if that happens on a further thread, reports it and
    /// ends all processes.
    void run();

    /// What was measured so far does not matter.
    void forget_runs();
    /// Whether run() compares its calls.
    void compare(bool wanted);
    /// Whether run() keeps the times of its calls.
    void keep_times(bool wanted);

    [[nodiscard]] MPI_Comm control() const { return control_; }
    [[nodiscard]] const std::deque<LocationReplay>& locations() const { return locations_; }
    [[nodiscard]] std::map<std::string, u64> left_out() const;
    [[nodiscard]] u32 world_rank() const { return world_rank_; }
    /// Every run() that is not forgotten.
    [[nodiscard]] const std::vector<RankRun>& runs() const { return runs_; }
    /// In seconds, of one repetition.
    [[nodiscard]] RankTimes recorded_times() const;
    /// The mean of all run(). Precondition: there was one.
    [[nodiscard]] RankTimes replayed_times() const;
    /// Seconds that had to pass between calls, in one repetition.
    [[nodiscard]] double asked_computation() const;
    [[nodiscard]] const Traffic& traffic() const { return traffic_; }
    [[nodiscard]] u64 buffer_bytes() const;
    /// Of all run() so far; empty unless asked for.
    [[nodiscard]] ProofResult proof() const;
    [[nodiscard]] const Inferences& inferences() const { return objects_.inferences; }

  private:
    [[nodiscard]] u64 communication() const;
    void run_location(std::size_t index, u64 start);
    /// All locations, each in a thread of its own but the first.
    void run_threads(u64 start);
    template <class Work>
    void or_give_up(const Work& work);
    void free_requests();
    void attach_buffer();
    void detach_buffer();

    const ReplayOptions& options_;
    u32 world_rank_;
    MPI_Comm control_ = MPI_COMM_NULL;
    TraceFile& file_;
    ProcessObjects objects_;
    SizeExchange sizes_;
    std::deque<Executor> executors_;
    std::deque<LocationReplay> locations_;
    std::deque<CallCheck> checks_;      ///< one per location, or none
    std::optional<ThreadOrder> order_;  ///< of several threads
    std::vector<char> attached_;
    Traffic traffic_;
    std::vector<RankRun> runs_;
};

/// Brings together what all ranks measured; the result is complete on rank 0. Collective. Throws
/// Error(io). Cost: reductions, nothing per rank.
ReplayResult reduce_result(const TraceFile& file, const RankReplay& rank);

/// The results of all processes as one, on rank 0; part of them elsewhere. Collective. Throws
/// Error(io).
ProofResult gather_proof(Communicator& world, const ProofResult& mine);

}  // namespace tracefold
