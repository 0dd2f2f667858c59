// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/rank_function.hpp"

#include <string>
#include <vector>

namespace tracefold::inline scaling {

/// Which ranks are taken for alike: those at the same distance from the borders of the grid, as
/// far as `width` places count.
struct GridClasses {
    u32 width = 0;
};

/// The same for ranks of one class, whatever the size of the grid. Cost: the dimensions.
u64 class_of(const GridClasses& classes, const RankGrid& grid, u32 rank);

/// Ways to tell ranks apart, the coarsest first.
std::vector<GridClasses> ways_to_classify();

/// "all ranks alike", "by distance from the border".
std::string to_text(const GridClasses& classes);

}  // namespace tracefold::inline scaling
