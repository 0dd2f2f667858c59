// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "common/trace_input.hpp"
#include "mpi/check.hpp"

#include <string>

namespace tracefold {

/// The kind of replay to check for.
struct CheckChoice {
    bool skip_unsupported = false;  ///< --unsupported skip
    bool neighbours = false;        ///< --neighbour-bytes: replay neighbourhood collectives
};

/// Reads and checks a whole trace and prints whether it can be replayed, as text or JSON:
/// `trace_replay --check` and `trace_inspect check`. Returns exit_mismatch if it cannot. Throws
/// Error as TraceInput::open(), and corrupt if anything is damaged.
ExitCode run_check(const TraceInput& input, CheckChoice choice, Console& console);

/// What a check prints: always all, or only that and why the trace cannot be replayed.
enum class CheckOutput { always, hindrances };

/// As run_check(), of an open trace.
ExitCode run_check(TraceFile& file, const TraceInput& input, CheckChoice choice, CheckOutput output,
                   Console& console);

/// Prints a line with examples; as JSON, an object.
void print_finding(const Finding& finding, CheckChoice choice, Console& console);
void write_finding(const Finding& finding, CheckChoice choice, JsonWriter& json);

}  // namespace tracefold
