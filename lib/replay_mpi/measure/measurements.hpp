// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "replay_mpi/measure/measured_sizes.hpp"
#include "replay_mpi/measure/occupancy.hpp"
#include "replay_mpi/measure/rank_detail.hpp"
#include "replay_mpi/measure/sized_calls.hpp"

namespace tracefold {
class TraceFile;
}

namespace tracefold {

class RankReplay;
struct ReplayOptions;

/// What a report says beyond sums; of one rank, or of many after gathering.
struct Measurements {
    explicit Measurements(u64 detailed_ranks = 0) : ranks(detailed_ranks) {}

    MeasuredSizes messages;     ///< between two ranks
    MeasuredSizes collectives;  ///< what every call sends, for all partners together
    SizedCalls calls;           ///< of all repetitions
    RankSelection ranks;
    Occupancy occupancy;

    static void each_field(auto& self, auto& visit) {
        visit(self.messages, self.collectives, self.calls, self.ranks, self.occupancy);
    }
};

/// Brings together what all ranks measured, along a tree; complete on rank 0. Collective. Throws
/// Error(io). Memory: that of the ranks in detail.
Measurements gather_measurements(Communicator& world, const TraceFile& file, const RankReplay& rank,
                                 const ReplayOptions& options);

}  // namespace tracefold
