// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "file/trace_file.hpp"
#include "replay/replay_options.hpp"
#include "replay/replay_result.hpp"

namespace tracefold {

/// Issues the MPI calls of a trace: process r those of world rank r. MPI is initialised, for
/// several threads if needs_threads(). Collective over MPI_COMM_WORLD, of which `world` has the
/// processes. Throws Error on all processes alike until the first call is issued: unsupported
/// (calls that cannot be issued), usage (no times in the file for the computation), mismatch of the
/// number of processes (usage), corrupt, io. Later failures on one process throw there. Memory: the
/// folded program, the largest message, the requests outstanding at a time.
ReplayResult replay_trace(TraceFile& file, Communicator& world, const ReplayOptions& options);

}  // namespace tracefold
