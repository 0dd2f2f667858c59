// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "file/trace_file.hpp"
#include "mpi/replay_patch.hpp"

#include <vector>

namespace tracefold {

class RankReplay;
struct ReplayOptions;

/// Writes the last repetition as a trace file: the records of the trace with the measured times.
/// Rank 0 writes, and requests the times of one location after the other. Collective. Throws Error
/// on rank 0: io. Memory there: one location's times. Precondition: options.record names the file.
void write_recording(Communicator& world, TraceFile& file, const RankReplay& rank,
                     const std::vector<ReplayPatch>& patches, const ReplayOptions& options);

}  // namespace tracefold
