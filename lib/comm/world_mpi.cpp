// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/mpi.hpp"
#include "comm/serial.hpp"
#include "comm/world.hpp"

namespace tracefold::inline comm {

std::unique_ptr<Communicator> make_world(bool launched_by_mpirun, int* argc, char*** argv) {
    if (!launched_by_mpirun) {
        return std::make_unique<SerialCommunicator>();
    }
    return std::make_unique<MpiCommunicator>(std::make_shared<MpiSession>(argc, argv));
}

}  // namespace tracefold::inline comm
