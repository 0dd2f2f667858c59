// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "file/trace_file.hpp"
#include "replay/replay_options.hpp"
#include "replay/replay_result.hpp"

namespace tracefold {

/// Issues the MPI calls of a trace: process r those of world rank r. Precondition: MPI is
/// initialised, for several threads if needs_threads(). Collective over MPI_COMM_WORLD, whose
/// processes `world` has. Throws Error on all processes until the first call is issued: unsupported
/// (calls that cannot be issued), usage (no times in the file for the computation; wrong number of
/// processes), corrupt, io. Later errors are thrown only where they occur. Memory: the folded
/// program, the largest message, outstanding requests.
ReplayResult replay_trace(TraceFile& file, Communicator& world, const ReplayOptions& options);

}  // namespace tracefold
