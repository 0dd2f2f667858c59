// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "replay_mpi/proof/call_check.hpp"

namespace tracefold::inline replay_mpi {

/// The results of all processes as one, on rank 0; part of them elsewhere. Collective. Throws
/// Error(io).
ProofResult gather_proof(Communicator& world, const ProofResult& mine);

}  // namespace tracefold::inline replay_mpi
