// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "mpi/comm_world.hpp"

namespace tracefold {

Communicator& test_world() {
    static SerialCommunicator world;
    return world;
}

}  // namespace tracefold
