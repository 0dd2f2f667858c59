// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"

namespace tracefold {

/// Calls on a file that all its processes make, and of which there is no record but their names.
bool is_bare_file_call(MpiFunction function);

/// Calls on a file that all its processes make. Precondition: of the family `file`.
bool is_file_collective(MpiFunction function);

}  // namespace tracefold
