// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/error.hpp"
#include "exporters/export_format.hpp"
#include "replay/check.hpp"
#include "replay/rank_program.hpp"

namespace tracefold {

/// Throws Error(unsupported) unless the trace has MPI ranks; `format` is what needs them.
inline void require_ranks(TraceFile& file, std::string_view format) {
    if (file.definitions().world_size() != 0) return;
    throw Error(ErrorKind::unsupported, "the trace has no MPI ranks, and " + std::string(format) +
                                            " says nothing about anything else");
}

/// Calls sink(call) for every MPI call of all ranks, those of collectives without a record as
/// they were inferred, rank by rank, thread by thread, in order,
/// and begin(rank, thread, location) before those of a thread; thread counts the rank's locations
/// that call MPI. Returns the number of calls.
template <class Begin, class Sink>
u64 for_each_call(TraceFile& file, const ProgressSink& progress, const Begin& begin,
                  const Sink& sink) {
    constexpr u64 kStep = 4096;
    const std::vector<ReplayPatch> inferred = infer_collectives(file);
    u64 calls = 0;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        u32 thread = 0;
        for (const u32 location : mpi_locations(file, rank)) {
            begin(rank, thread++, location);
            RankProgram program(file, location);
            if (const auto* known = find_patch(inferred, location)) program.infer(known);
            for (MpiCall call; program.next(call);) {
                sink(call);
                if (++calls % kStep == 0 && progress) progress(kStep);
            }
        }
    }
    if (progress) progress(calls % kStep);
    return calls;
}

}  // namespace tracefold
