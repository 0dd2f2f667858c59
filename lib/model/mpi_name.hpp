// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

/// The MPI function that a region is named after, as the standard spells it in C: "MPI_Init" of
/// "MPI_Init", TAU's "MPI_Init()", Fortran's "mpi_init", "MPI_INIT", "mpi_init_" and "mpi_init__",
/// and of the same with "PMPI_". Empty if the name is none of MPI in any spelling. This is the one
/// place that knows how recorders spell. Cost: linear in the name, which is copied.
std::string mpi_function_name(std::string_view region_name);

}  // namespace tracefold
