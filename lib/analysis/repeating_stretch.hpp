// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// The least p so that every number but the first p equals the one p places before it; as many as
/// there are numbers if none repeat. Cost: linear.
u64 shortest_period(const std::vector<u64>& numbers);

/// How many numbers before place `begin` go on backwards with the period of those from there on.
/// `numbers` holds at least a period behind `begin`.
u64 reaches_back(const std::vector<u32>& numbers, std::size_t begin, std::size_t period);

}  // namespace tracefold
