// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/executor.hpp"
#include "replay_mpi/location_replay.hpp"
#include "replay_mpi/replay.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// The replay of one rank: its locations, what they share, and one thread for each. Construction
/// and run() are collective over MPI_COMM_WORLD.
class RankReplay {
  public:
    /// All must outlive this object.
    RankReplay(TraceFile& file, u32 world_rank, const std::vector<LocationInference>& inferences,
               const ReplayOptions& options);
    RankReplay(const RankReplay&) = delete;
    RankReplay& operator=(const RankReplay&) = delete;
    ~RankReplay();

    /// Walks all calls without issuing them. Throws Error.
    void prepare();
    /// Tells the other ranks what they need to know. Collective. Throws Error(io).
    void exchange() {
        sizes_.exchange(control_);
        objects_.agree(control_, options_.scratch);
    }
    /// Gets the memory that they need. Throws Error(io).
    void allocate();
    /// Removes what the program wrote. Collective.
    void remove_files() { objects_.files.remove(); }
    /// Issues all calls once. Throws Error; if that happens on a further thread, reports it and
    /// ends all processes.
    void run();

    void forget_times();

    [[nodiscard]] MPI_Comm control() const { return control_; }
    [[nodiscard]] const std::deque<LocationReplay>& locations() const { return locations_; }
    [[nodiscard]] std::map<std::string, u64> left_out() const;
    /// Nanoseconds of each run(), from the common start to the end of this rank's last call.
    [[nodiscard]] const std::vector<u64>& walls() const { return walls_; }
    [[nodiscard]] u64 buffer_bytes() const;
    /// Of all run() so far; empty unless asked for.
    [[nodiscard]] ProofResult proof() const;
    [[nodiscard]] const Inferences& inferences() const { return objects_.inferences; }

  private:
    void run_location(std::size_t index, u64 start);
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
    std::vector<u64> walls_;
};

}  // namespace tracefold
