// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

namespace tracefold {

/// Prints what came out: a table and a summary line, or JSON.
void report(const ReplayArguments& arguments, const ReplayResult& result, Console& console);

}  // namespace tracefold
