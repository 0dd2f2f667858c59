// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

#include <memory>

namespace tracefold {

/// Returns all processes of this program. With MPI support in the build and `launched_by_mpirun`
/// set, loads MPI (plugin.hpp) and initialises it; the communicator's destructor finalises it. The
/// call is then collective. Otherwise MPI is not loaded and the process is alone, even if others
/// were launched. `argc` and `argv` go to MPI_Init_thread and may be null. Throws Error(io), or
/// Error(unsupported) if MPI cannot be loaded.
std::unique_ptr<Communicator> make_world(bool launched_by_mpirun, int* argc, char*** argv);

}  // namespace tracefold
