// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/execution_counts.hpp"

#include <vector>

namespace tracefold::inline query {

/// How many event records of each type a structure holds, by EventType, counted in folded form.
/// Cost: symbols, plus locations x symbols with requests.
std::vector<u64> record_counts(const Structure& structure, ExecutionCounts& counts);

}  // namespace tracefold::inline query
