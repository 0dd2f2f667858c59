// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/run_tool.hpp"

namespace tracefold {

/// Makes a tool of one process refuse to run as several that a launcher started, which would all
/// write the same output: one of them says so, and all end with the exit code for wrong usage.
/// Precondition: the tool's run is set.
void run_alone(ToolSpec& spec);

}  // namespace tracefold
