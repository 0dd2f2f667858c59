// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/grid_classes.hpp"

#include <algorithm>

namespace tracefold::inline scaling {

u64 class_of(const GridClasses& classes, const RankGrid& grid, u32 rank) {
    u64 key = 0;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        const u32 size = grid.sizes()[d];
        const auto coordinate = static_cast<u32>(grid.coordinate(d, rank));
        const u64 low = std::min(coordinate, classes.width);
        const u64 high = std::min(size - 1 - coordinate, classes.width);
        key = (key * (classes.width + 1) + low) * (classes.width + 1) + high;
    }
    return key;
}

std::vector<GridClasses> ways_to_classify() { return {{0}, {1}, {2}}; }

std::string to_text(const GridClasses& classes) {
    return classes.width == 0   ? "all ranks alike"
           : classes.width == 1 ? "by borders of the grid"
                                : "by distance from the borders of the grid";
}

}  // namespace tracefold::inline scaling
