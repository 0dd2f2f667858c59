// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/mpi_function.hpp"

#include <map>
#include <string>

namespace tracefold {

/// Functions that communicate although none of their calls has a record, with the number of calls:
/// persistent collectives and partitioned messages (MPI_Start), or messages on communicators that
/// the recorder does not know. A call to MPI_PROC_NULL has no record either: so functions with
/// other, recorded calls are not listed, unless the trace lacks an intercommunicator.
using UnrecordedCalls = std::map<MpiFunction, u64>;

/// Cost: the symbols. Throws Error(corrupt).
UnrecordedCalls find_unrecorded_calls(TraceFile& file);

/// "40 calls of MPI_Start have no record of the communication"; "" if there are none.
std::string unrecorded_sentence(const UnrecordedCalls& calls);

}  // namespace tracefold
