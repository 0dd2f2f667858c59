// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/proof/gather_proof.hpp"

#include "io/value_bytes.hpp"

namespace tracefold::inline replay_mpi {

ProofResult gather_proof(Communicator& world, const ProofResult& mine) {
    ProofResult all;
    for (const std::string& part : world.gather(to_bytes(mine), 0)) {
        all.merge(from_bytes<ProofResult>(part, "the proof of another process"));
    }
    return all;
}

}  // namespace tracefold::inline replay_mpi
