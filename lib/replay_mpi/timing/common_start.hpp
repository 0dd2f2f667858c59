// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <mpi.h>

namespace tracefold {

/// A moment a little ahead, the same for all processes, by the clock of each (clock_now()): the
/// distance of the clocks to that of rank 0 is measured by messages back and forth. Collective.
/// Throws Error(io). Cost: some round trips per process, one process after the other.
u64 agree_on_start(MPI_Comm comm);

/// Waits until the clock shows that moment.
void wait_until(u64 moment);

}  // namespace tracefold
