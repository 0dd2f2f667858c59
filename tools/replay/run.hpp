// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "replay/options.hpp"

namespace tracefold {

/// How the program was started.
struct ReplayStart {
    Launch launch;
    int* argc = nullptr;
    char*** argv = nullptr;
    std::string command;  ///< the command line, to be repeated in messages
};

/// Walks the programs of a trace without MPI and prints how often each function is called, with how
/// many bytes, as text or as JSON.
ExitCode run_dry(const TraceInput& input, Console& console);

/// Replays the trace; one rank per process. `force`: reports replace what is there. Returns the
/// exit code of this process: errors that all processes know are thrown on rank 0 only. Other
/// errors end all processes.
ExitCode run_replay(const ReplayArguments& arguments, const ReplayStart& start, bool force,
                    Console& console);

}  // namespace tracefold
