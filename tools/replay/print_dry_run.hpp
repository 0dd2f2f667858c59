// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/run_tool.hpp"
#include "common/trace_input.hpp"

namespace tracefold {

/// Walks the programs of a trace without MPI and prints how often each function is called, with how
/// many bytes, as text or as JSON.
ExitCode run_dry(const TraceInput& input, Console& console);

}  // namespace tracefold
