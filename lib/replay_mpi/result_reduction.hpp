// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "replay_mpi/rank_replay.hpp"
#include "replay_mpi/replay_result.hpp"

namespace tracefold {

/// Brings together what all ranks measured; the result is complete on rank 0. Collective. Throws
/// Error(io). Cost: reductions, nothing per rank.
ReplayResult reduce_result(const TraceFile& file, const RankReplay& rank);

/// The results of all processes as one, on rank 0; part of them elsewhere. Collective. Throws
/// Error(io).
ProofResult gather_proof(Communicator& world, const ProofResult& mine);

}  // namespace tracefold
