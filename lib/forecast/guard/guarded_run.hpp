// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "questions/profile/metric_profile.hpp"

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// Numbers by rank that runs share where they are equal: compared by address.
class RankNumbers {
  public:
    using Pointer = const std::vector<u64>*;

    /// Null for zeros. Remains valid.
    Pointer add(std::vector<u64> by_rank);
    /// Sum over all ranks; kOverflow beyond 64 bits.
    static u64 sum(Pointer numbers);
    /// The ranks whose numbers differ, as "0-3,7".
    static std::string differing(Pointer a, Pointer b);

  private:
    std::set<std::vector<u64>> known_;
};

/// What must not change in a call path: its visits, and the bytes that it moves.
inline constexpr std::array kGuardedMetrics = {
    ProfileMetric::visits,
    ProfileMetric::sent_messages,
    ProfileMetric::received_messages,
    ProfileMetric::sent_collective,
    ProfileMetric::received_collective,
    ProfileMetric::read,
    ProfileMetric::written,
};

/// Structure and times of one run.
struct GuardedRun {
    struct Path {
        std::string name;    ///< "program/main/MPI_Send"
        std::string call;    ///< "MPI_Send"
        u32 parent = kNone;  ///< lower index
        bool is_mpi = false;
        bool polls = false;      ///< called until something has happened
        bool completes = false;  ///< requests, and learns of their bytes
        double seconds = 0;      ///< exclusive, sum over all ranks
        std::array<RankNumbers::Pointer, kGuardedMetrics.size()> numbers{};
        std::string file = {};  ///< of its source; empty: unknown
        u64 line = 0;
    };

    std::string name;
    u32 ranks = 0;
    TimingLevel timing{};
    bool polls = false;       ///< any path does
    std::vector<Path> paths;  ///< depth first, in order of first call
    /// By function and direction (true: sends): a hash of the peers with the numbers of their
    /// transfers, whatever their order.
    std::map<std::pair<std::string, bool>, RankNumbers::Pointer> peers;
    /// Hashes of the sequences of calls without those that poll: of all, and of MPI's functions.
    RankNumbers::Pointer order = nullptr;
    RankNumbers::Pointer mpi_order = nullptr;
};

/// Reads a run. `numbers` must outlive it. Throws Error(corrupt). Cost: trace_profile(),
/// visit_transfers(), and the runs of equal calls of every location.
GuardedRun read_guarded_run(TraceFile& file, const std::string& name, RankNumbers& numbers);

/// True for MPI functions that a program may call any number of times before something has
/// happened.
bool may_poll(std::string_view region_name);

}  // namespace tracefold
