// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_grid.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

/// Enumerates the grids with sizes in rising order, smallest first size first.
void split(u32 participants, std::size_t dimensions, u32 least, std::vector<u32>& sizes,
           std::vector<std::vector<u32>>& out) {
    if (dimensions == 1) {
        if (participants < least) return;
        sizes.push_back(participants);
        out.push_back(sizes);
        sizes.pop_back();
        return;
    }
    for (u32 size = least; u64{size} * size <= participants; ++size) {
        if (participants % size != 0) continue;
        sizes.push_back(size);
        split(participants / size, dimensions - 1, size, sizes, out);
        sizes.pop_back();
    }
}

std::vector<DigitGrid::Digit> digits_of(const RankGrid& grid) {
    std::vector<DigitGrid::Digit> digits;
    for (u32 d = 0; d < grid.dimensions(); ++d) digits.push_back({grid.sizes()[d], d});
    return digits;
}

u32 smallest_factor(u32 number) {
    for (u32 factor = 2; factor * factor <= number; ++factor) {
        if (number % factor == 0) return factor;
    }
    return number;
}

/// Returns the dimension of the next cut: one with the largest part, or the next one in turn.
u32 next_cut(const std::vector<u32>& parts, bool largest, u32 last) {
    const auto dimensions = static_cast<u32>(parts.size());
    if (largest) {
        return static_cast<u32>(std::max_element(parts.begin(), parts.end()) - parts.begin());
    }
    u32 next = (last + 1) % dimensions;
    while (parts[next] == 1) next = (next + 1) % dimensions;
    return next;
}

std::vector<DigitGrid::Digit> cut(const RankGrid& grid, bool largest) {
    std::vector<u32> parts = grid.sizes();
    std::vector<DigitGrid::Digit> digits;
    auto dimension = static_cast<u32>(parts.size() - 1);
    while (std::any_of(parts.begin(), parts.end(), [](u32 part) { return part > 1; })) {
        dimension = next_cut(parts, largest, dimension);
        const u32 factor = smallest_factor(parts[dimension]);
        digits.push_back({factor, dimension});
        parts[dimension] /= factor;
    }
    return digits;
}

}  // namespace

RankGrid::RankGrid(std::vector<u32> sizes) : sizes_(std::move(sizes)), strides_(sizes_.size()) {
    for (std::size_t d = sizes_.size(); d-- > 0;) {
        strides_[d] = participants_;
        participants_ *= sizes_[d];
    }
}

std::vector<RankGrid> grids_of(u32 participants) {
    constexpr std::size_t kMostDimensions = 3;
    std::vector<RankGrid> grids;
    for (std::size_t dimensions = 1; dimensions <= kMostDimensions; ++dimensions) {
        std::vector<std::vector<u32>> all;
        std::vector<u32> sizes;
        split(participants, dimensions, 2, sizes, all);
        std::reverse(all.begin(), all.end());
        for (std::vector<u32>& ordered : all) {
            do {
                grids.emplace_back(ordered);
            } while (std::next_permutation(ordered.begin(), ordered.end()));
        }
    }
    return grids;
}

DigitGrid::DigitGrid(std::vector<Digit> digits)
    : digits_(std::move(digits)), strides_(digits_.size()) {
    for (std::size_t i = digits_.size(); i-- > 0;) {
        const Digit& digit = digits_[i];
        strides_[i] = participants_;
        participants_ *= digit.size;
        if (digit.dimension >= sizes_.size()) sizes_.resize(digit.dimension + 1, 1);
        sizes_[digit.dimension] *= digit.size;
    }
}

DigitGrid::DigitGrid(const RankGrid& grid) : DigitGrid(digits_of(grid)) {}

u32 DigitGrid::coordinate(std::size_t dimension, u64 participant) const {
    u64 coordinate = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
        if (digits_[i].dimension != dimension) continue;
        coordinate = coordinate * digits_[i].size + participant / strides_[i] % digits_[i].size;
    }
    return static_cast<u32>(coordinate);
}

u64 DigitGrid::weight(std::size_t dimension, u32 coordinate) const {
    u64 weight = 0;
    for (std::size_t i = digits_.size(); i-- > 0;) {
        if (digits_[i].dimension != dimension) continue;
        weight += coordinate % digits_[i].size * strides_[i];
        coordinate /= digits_[i].size;
    }
    return weight;
}

std::vector<DigitGrid> cut_grids_of(u32 participants) {
    std::vector<DigitGrid> grids;
    std::set<std::vector<u32>> known;
    for (const RankGrid& grid : grids_of(participants)) {
        for (const bool largest : {true, false}) {
            std::vector<DigitGrid::Digit> digits = cut(grid, largest);
            std::vector<u32> key;
            for (const auto& digit : digits) {
                key.push_back(digit.size);
                key.push_back(digit.dimension);
            }
            const bool is_plain = std::is_sorted(
                digits.begin(), digits.end(),
                [](const auto& a, const auto& b) { return a.dimension < b.dimension; });
            if (!is_plain && known.insert(std::move(key)).second) {
                grids.emplace_back(std::move(digits));
            }
        }
    }
    return grids;
}

namespace {

u64 participant_at(const DigitGrid& grid, const std::vector<u32>& place) {
    u64 participant = 0;
    for (std::size_t d = 0; d < place.size(); ++d) participant += grid.weight(d, place[d]);
    return participant;
}

/// Moves to the next position of a box, the last dimension fastest; false after the last one.
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

/// Returns the numbers along a dimension from the first position of the box, divided by their
/// greatest common divisor; empty if all are equal.
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
