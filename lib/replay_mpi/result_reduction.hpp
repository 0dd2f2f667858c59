// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/rank_replay.hpp"
#include "replay_mpi/replay_result.hpp"

namespace tracefold::inline replay_mpi {

/// Brings together what all ranks measured; the result is complete on rank 0. Collective. Throws
/// Error(io). Cost: reductions, nothing per rank.
ReplayResult reduce_result(const TraceFile& file, const RankReplay& rank);

}  // namespace tracefold::inline replay_mpi
