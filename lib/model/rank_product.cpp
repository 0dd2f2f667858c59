// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_product.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

u64 participant_at(const DigitGrid& grid, const std::vector<u32>& place) {
    u64 participant = 0;
    for (std::size_t d = 0; d < place.size(); ++d) participant += grid.weight(d, place[d]);
    return participant;
}

/// The next place of a box, the last dimension fastest; false behind the last one.
bool advance(const GridBox& box, std::vector<u32>& place) {
    for (std::size_t d = place.size(); d-- > 0;) {
        if (++place[d] < box.end[d]) return true;
        place[d] = box.begin[d];
    }
    return false;
}

u64 value_at(const RankProduct& product, const std::vector<u32>& place) {
    u64 value = product.base;
    for (std::size_t d = 0; d < place.size(); ++d) {
        if (!product.factors[d].empty()) value *= product.factors[d][place[d]];
    }
    return value;
}

/// The numbers along a dimension from the first place of the box, without their common divisor;
/// empty if they are all the same.
std::vector<u64> fit_factor(const DigitGrid& grid, const GridBox& box, std::size_t dimension,
                            std::span<const u64> values) {
    std::vector<u64> line;
    std::vector<u32> place = box.begin;
    u64 divisor = 0;
    for (u32 x = box.begin[dimension]; x < box.end[dimension]; ++x) {
        place[dimension] = x;
        line.push_back(values[participant_at(grid, place)]);
        divisor = std::gcd(divisor, line.back());
    }
    if (std::all_of(line.begin(), line.end(), [&](u64 value) { return value == line[0]; })) {
        return {};
    }
    for (u64& value : line) value /= divisor;
    line.insert(line.begin(), box.begin[dimension], line[0]);
    line.resize(grid.sizes()[dimension], line.back());
    return line;
}

}  // namespace

u64 evaluate(const RankProduct& product, const DigitGrid& grid, u64 participant) {
    std::vector<u32> place;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        place.push_back(grid.coordinate(d, participant));
    }
    return value_at(product, place);
}

std::optional<RankProduct> fit_product(const DigitGrid& grid, const GridBox& box,
                                       std::span<const u64> values) {
    RankProduct product{values[participant_at(grid, box.begin)], {}};
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        product.factors.push_back(fit_factor(grid, box, d, values));
        if (product.factors[d].empty()) continue;
        const u64 first = product.factors[d][box.begin[d]];
        if (first == 0 || product.base % first != 0) return std::nullopt;
        product.base /= first;
    }
    std::vector<u32> place = box.begin;
    do {
        if (value_at(product, place) != values[participant_at(grid, place)]) return std::nullopt;
    } while (advance(box, place));
    return product;
}

}  // namespace tracefold
