// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/run_tool.hpp"

#include <string>

namespace tracefold {

/// Walks the programs of a file without MPI and prints how often each function is called, with how
/// many bytes, as text or as JSON.
ExitCode run_dry(const std::string& path, Console& console);

}  // namespace tracefold
