// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/collective_needs.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// By member of a collective operation, when the last of those began that it needs besides itself;
/// 0 if it needs nobody. `begins` are in the order of the communicator; a root that is none of them
/// needs nobody and nobody needs it.
std::vector<u64> latest_needed(CollectiveNeed need, std::span<const u64> begins, u32 root);

/// By member, when the first of those ended that need it; ~0 if nobody does.
std::vector<u64> earliest_to_need(CollectiveNeed need, std::span<const u64> ends, u32 root);

}  // namespace tracefold
