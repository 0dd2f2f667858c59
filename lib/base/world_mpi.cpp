// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/mpi_plugin.hpp"
#include "base/plugin.hpp"
#include "base/world.hpp"

namespace tracefold {

std::unique_ptr<Communicator> make_world(bool launched_by_mpirun, int* argc, char*** argv) {
    if (!launched_by_mpirun) {
        return std::make_unique<SerialCommunicator>();
    }
    std::unique_ptr<Communicator> world;
    plugin_function<JoinMpi>("tracefold_world", kJoinMpi)(argc, argv, world);
    return world;
}

}  // namespace tracefold
