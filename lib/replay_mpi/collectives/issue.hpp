// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/mpi_error.hpp"
#include "replay_mpi/proof/watched.hpp"

/// One call, without request if the local variable `request` is null: TRACEFOLD_ISSUE(Bcast,
/// Ibcast, arguments...). The two functions differ in nothing but their names and the last
/// argument.
#define TRACEFOLD_ISSUE(blocking, nonblocking, ...)                            \
    check_mpi(request == nullptr ? watched::blocking(__VA_ARGS__)              \
                                 : watched::nonblocking(__VA_ARGS__, request), \
              request == nullptr ? "MPI_" #blocking : "MPI_" #nonblocking)
