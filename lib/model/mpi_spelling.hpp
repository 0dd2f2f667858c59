// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

/// The MPI function that a region is named after, as the standard spells it in C: "MPI_Send" for
/// - "PMPI_Send", "mpi_send__", "MPI_SEND", "mpi_send_f08ts_", "MPI_Send_c": bindings and linkage
/// - "MPI_Send() [{a.c} {3,1}]", "MPI_Send [a.c:3]", "int MPI_Send(const void *, int)": signatures
///   and places
/// - "MPI_Send@libmpi.so", "libmpi.so!MPI_Send", "MPI_Send.part.0": symbols
/// - "MPI::Comm::Send", "_ZNK3MPI4Comm4SendEPKviRKNS_8DatatypeEii": C++.
/// "MPIX_Name" for functions of vendors. Empty if the name is none of MPI in any spelling. No other
/// code knows how recorders spell. Cost: linear in the name, some hundred nanoseconds: to be asked
/// once per region, not per event.
std::string mpi_function_name(std::string_view region_name);

/// The same, for names that say nothing but the function: case, "PMPI_", and underscores,
/// parentheses and spaces at the end. What a folded file looks like depends on it, so that it stays
/// as it is; a name of this kind has no path of a source file in it.
std::string bare_mpi_function_name(std::string_view region_name);

}  // namespace tracefold
