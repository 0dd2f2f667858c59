// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/displacements.hpp"

#include <utility>

namespace tracefold {

namespace {

/// The same modulo the size, as near to 0 as it can be, and rather above it.
i64 nearest_step(i64 step, u32 size) {
    const i64 most = i64{size} / 2;
    if (step > most) return step - i64{size};
    return step < most + 1 - i64{size} ? step + i64{size} : step;
}

}  // namespace

std::vector<DigitGrid> all_grids_of(u32 participants) {
    std::vector<DigitGrid> grids;
    for (const RankGrid& grid : grids_of(participants)) grids.emplace_back(grid);
    for (DigitGrid& grid : cut_grids_of(participants)) grids.push_back(std::move(grid));
    return grids;
}

Displacements::Displacements(const DigitGrid& grid, bool wraps) : grid_(grid), wraps_(wraps) {
    for (u64 p = 0; p < grid.participants(); ++p) places_.push_back(place_of(grid, p));
}

u64 Displacements::between(u64 from, u64 to) const {
    u64 code = 0;
    for (std::size_t d = 0; d < grid_.dimensions(); ++d) {
        const u32 size = grid_.sizes()[d];
        const i64 step = i64{places_[to][d]} - i64{places_[from][d]};
        const i64 taken = wraps_ ? nearest_step(step, size) : step;
        code = code * 2 * size + static_cast<u64>(taken + i64{size});
    }
    return code;
}

std::vector<i64> Displacements::steps(u64 code) const {
    std::vector<i64> steps(grid_.dimensions());
    for (std::size_t d = steps.size(); d-- > 0;) {
        const u64 size = grid_.sizes()[d];
        steps[d] = static_cast<i64>(code % (2 * size)) - static_cast<i64>(size);
        code /= 2 * size;
    }
    return steps;
}

PlaceFunction Displacements::function(u64 code) const {
    PlaceFunction function = constant_function(0, grid_.dimensions());
    const std::vector<i64> own = steps(code);
    for (std::size_t d = 0; d < own.size(); ++d) {
        function.terms[d].offset = own[d];
        function.terms[d].coefficients[d] = 1;
    }
    return function;
}

PlaceFunction constant_function(u64 number, std::size_t dimensions) {
    PlaceFunction function{number, {}};
    for (std::size_t d = 0; d < dimensions; ++d) {
        function.terms.push_back({0, 0, std::vector<u32>(dimensions, 0)});
    }
    return function;
}

}  // namespace tracefold
