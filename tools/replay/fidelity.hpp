// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/options.hpp"
#include "replay_mpi/replay_result.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// In what a replay differs from what was asked for, a sentence each; empty if in nothing.
std::vector<std::string> shortfalls(const ReplayArguments& arguments, const ReplayResult& result);

/// What was asked for and what came of it, in lines: calls and bytes, order, computation, and
/// whether there were processors enough.
std::vector<std::string> fidelity_statement(const ReplayArguments& arguments,
                                            const ReplayResult& result);

}  // namespace tracefold
