// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// How many processes a profile needs if none may take more than so much memory, worked out from
/// the folded form alone: the call tree, the locations, and which metrics call paths can have. The
/// model (docs/profile.md) is an upper bound: every call path on every location.
struct ProcessAdvice {
    u64 call_paths = 0;
    bool complete = true;  ///< false: there are more, which only unwinding would tell
    u64 locations = 0;
    u64 rows = 0;          ///< of values, one number per location
    u64 fixed_bytes = 0;   ///< that each process needs, however many they are
    u64 shared_bytes = 0;  ///< that they share
    u64 processes = 0;     ///< 0: no number is enough

    [[nodiscard]] u64 bytes_per_process(u64 of_processes) const {
        return fixed_bytes + (shared_bytes + of_processes - 1) / of_processes;
    }
};

/// For the selected locations; `limit`: bytes per process. More processes than call paths are of no
/// use and not proposed. Cost: the scripts. Throws Error(corrupt).
ProcessAdvice advise_processes(TraceFile& file, const std::vector<bool>& selected, bool with_times,
                               u64 limit);

}  // namespace tracefold
