// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/mpi_error.hpp"

#include "core/error.hpp"

#include <mpi.h>

namespace tracefold {

static_assert(MPI_SUCCESS == 0);

void throw_mpi_error(int result, const char* call) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(result, text, &length);
    throw Error(ErrorKind::io, "{} failed: {}", call,
                std::string(text, static_cast<std::size_t>(length)));
}

}  // namespace tracefold
