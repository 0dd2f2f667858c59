// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/mpi_plugin.hpp"

#include "base/mpi.hpp"

namespace tracefold {

void tracefold_join_mpi(int* argc, char*** argv, std::unique_ptr<Communicator>& world) {
    world = std::make_unique<MpiCommunicator>(std::make_shared<MpiSession>(argc, argv));
}

}  // namespace tracefold
