// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/structure/structure_listing.hpp"

#include <vector>

namespace tracefold {

/// How many calls there are each time that a node is come by, on average; by node. Cost: linear.
std::vector<double> calls_per_visit(const ListedScript& script);

/// Which items of a body to show: if the body or a region in it has more than `wide` items, the
/// `most` with the highest weights (0: all). A region counts as one item, with all that is in it,
/// and is shown with its entry and exit or not at all; those that do not end or begin in this body
/// are always shown, and so is a single call between shown items. `weights` are by node. Cost:
/// items x log items.
std::vector<bool> choose_items(const ListedScript& script, const std::vector<u32>& body,
                               const std::vector<double>& weights, u64 wide, u64 most);

}  // namespace tracefold
