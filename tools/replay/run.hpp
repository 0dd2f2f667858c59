// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/check_report.hpp"
#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "replay/options.hpp"

namespace tracefold {

/// How the program was started.
struct ReplayStart {
    Launch launch;
    int* argc = nullptr;
    char*** argv = nullptr;
    std::string command;  ///< command line, for messages
};

/// Walks a trace's programs without MPI and prints calls and bytes by function, as text or JSON.
ExitCode run_dry(const TraceInput& input, Console& console);

/// The check for a replay with these options.
CheckChoice check_choice(const ReplayOptions& options);

/// The fingerprint of the calls that such a replay issues, as text. Throws as replay_fingerprint().
std::string fingerprint_of(TraceFile& file, const ReplayOptions& options);

/// Prints the fingerprint of the calls that a replay would issue. Without MPI.
ExitCode print_fingerprint(const ReplayArguments& arguments, Console& console);

/// Replays the trace; one rank per process. `force`: overwrites reports. Returns the exit code of
/// this process. Collective errors are thrown on rank 0 only; other errors end all processes.
ExitCode run_replay(const ReplayArguments& arguments, const ReplayStart& start, bool force,
                    Console& console);

}  // namespace tracefold
