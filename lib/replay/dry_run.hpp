// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "replay/check.hpp"
#include "trace/trace_file.hpp"

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
    std::vector<Finding> inferred;    ///< about collectives and communicators without a record
};

/// Walks the programs of all ranks, one after the other, without times; those with collective calls
/// or creations of communicators that left no record side by side first, as check_replay(). Memory:
/// one program, or what that needs. Throws Error(corrupt).
DryRun dry_run(TraceFile& file);

}  // namespace tracefold
