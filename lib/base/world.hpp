// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

#include <memory>

namespace tracefold {

/// All processes of this program. With MPI support in the build and `launched_by_mpirun` set, MPI
/// is loaded (core/plugin.hpp) and initialised now, and finalised when the communicator is
/// destroyed; the call is then collective. Else the process is alone and MPI is not even loaded:
/// several processes then know nothing of each other. `argc` and `argv` go to MPI_Init_thread and
/// may be null. Throws Error(io), or Error(unsupported) if MPI cannot be loaded.
std::unique_ptr<Communicator> make_world(bool launched_by_mpirun, int* argc, char*** argv);

}  // namespace tracefold
