// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/trace_file.hpp"
#include "replay/mpi_function.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What the programs of all ranks call.
struct DryRun {
    /// One MPI function. Bytes are those of messages, and of collective operations as OTF2 counts
    /// them: the sum over the partners.
    struct Function {
        std::string name;
        CallFamily family = CallFamily::local;
        u64 calls = 0;
        u64 sent = 0;
        u64 received = 0;
    };

    u32 ranks = 0;
    u64 locations = 0;  ///< that call MPI
    u64 calls = 0;
    std::vector<Function> functions;  ///< the most frequent first
};

/// Walks the programs of all ranks, one after the other, without times. Memory: one program.
/// Throws Error(corrupt).
DryRun dry_run(TraceFile& file);

}  // namespace tracefold
