// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/calls_of_size.hpp"
#include "replay_mpi/replay_result.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Over the repetitions: of the longest wall time of all ranks, and of the means of all ranks.
TimeSpreads spreads_of_runs(const ReplayResult& result);

/// By function and size, those that were called.
std::vector<CallsOfSize> calls_by_size(const ReplayResult& result);

/// 16 hexadecimal digits, of a trace or of what was issued.
std::string fingerprint_text(u64 fingerprint);

}  // namespace tracefold
