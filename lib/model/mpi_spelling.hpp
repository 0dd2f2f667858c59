// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

/// Returns the MPI function of a region name in the C spelling of the standard: "MPI_Send" for
/// - "PMPI_Send", "mpi_send__", "MPI_SEND", "mpi_send_f08ts_", "MPI_Send_c": bindings and linkage
/// - "MPI_Send() [{a.c} {3,1}]", "MPI_Send [a.c:3]", "int MPI_Send(const void *, int)":
///   signatures and source locations
/// - "MPI_Send@libmpi.so", "libmpi.so!MPI_Send", "MPI_Send.part.0": symbols
/// - "MPI::Comm::Send", "_ZNK3MPI4Comm4SendEPKviRKNS_8DatatypeEii": C++.
/// "MPIX_Name" for vendor functions. Empty for other names. This is the only code that knows the
/// spellings of recorders. Cost: linear in the name, some hundred nanoseconds: call it once per
/// region, not per event.
std::string mpi_function_name(std::string_view region_name);

/// Like mpi_function_name() for bare function names: accepts differences in case, "PMPI_", and
/// trailing underscores, parentheses and spaces, but no source paths. Must never change: the
/// content of folded files depends on it.
std::string bare_mpi_function_name(std::string_view region_name);

}  // namespace tracefold
