// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tracefold {

/// Throws Error(io) with the message of the MPI library: "MPI_Send failed: ...".
[[noreturn]] void throw_mpi_error(int result, const char* call);

/// Passes the result of every MPI call, which is 0 on success.
inline void check_mpi(int result, const char* call) {
    if (result != 0) [[unlikely]]
        throw_mpi_error(result, call);
}

}  // namespace tracefold
