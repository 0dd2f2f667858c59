// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/structure/structure_listing.hpp"

#include <vector>

namespace tracefold {

/// Mean number of calls per visit, by node. Cost: linear.
std::vector<double> calls_per_visit(const ListedScript& script);

/// Selects the items of a body to show: if the body or a region in it has more than `wide` items,
/// the `most` with the highest weights (0: all). A region is one item with all its content: its
/// entry and exit are shown together or not at all. Always shown: regions that do not begin and end
/// in this body, and a single call between shown items. `weights`: by node. Cost: items x log
/// items.
std::vector<bool> choose_items(const ListedScript& script, const std::vector<u32>& body,
                               const std::vector<double>& weights, u64 wide, u64 most);

}  // namespace tracefold
