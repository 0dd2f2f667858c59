// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/grid_rule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t kMostDimensions = 3;

/// Divides `ranks` among the dimensions that are left, none larger than `most`.
void divide(u32 ranks, std::size_t left, u32 most, std::vector<u32>& sizes,
            std::vector<u32>& best) {
    if (left == 1) {
        if (ranks > most) return;
        sizes.push_back(ranks);
        const auto spread = [](const std::vector<u32>& s) { return s.front() - s.back(); };
        if (best.empty() || spread(sizes) < spread(best)) best = sizes;
        sizes.pop_back();
        return;
    }
    for (u32 size = std::min(ranks, most); size >= 1; --size) {
        if (ranks % size != 0) continue;
        sizes.push_back(size);
        divide(ranks / size, left - 1, size, sizes, best);
        sizes.pop_back();
    }
}

bool is_power(u32 ranks, u32 exponent) {
    const auto root = static_cast<u64>(std::lround(std::pow(ranks, 1.0 / exponent)));
    u64 product = 1;
    for (u32 i = 0; i < exponent; ++i) product *= root;
    return product == ranks;
}

}  // namespace

std::vector<u32> even_sizes(u32 ranks, std::size_t dimensions) {
    std::vector<u32> sizes;
    std::vector<u32> best;
    divide(ranks, dimensions, ranks, sizes, best);
    return best;
}

RankGrid grid_by(const GridRule& rule, u32 ranks) {
    if (rule.square_of_groups) {
        u32 side = static_cast<u32>(std::sqrt(ranks));
        while (ranks % (side * side) != 0) --side;
        return RankGrid({side, side, ranks / (side * side)});
    }
    const std::vector<u32> even = even_sizes(ranks, rule.order.size());
    std::vector<u32> sizes;
    for (const u32 place : rule.order) sizes.push_back(even[place]);
    return RankGrid(std::move(sizes));
}

std::vector<GridRule> grid_rules() {
    std::vector<GridRule> rules;
    for (std::size_t dimensions = 1; dimensions <= kMostDimensions; ++dimensions) {
        GridRule rule;
        rule.order.resize(dimensions);
        std::iota(rule.order.begin(), rule.order.end(), 0U);
        do rules.push_back(rule);
        while (std::ranges::next_permutation(rule.order).found);
    }
    rules.push_back({{0, 0, 1}, true});
    return rules;
}

std::string to_text(const GridRule& rule) {
    constexpr std::string_view kNames = "xyz";
    const std::size_t n = rule.order.size();
    std::string text = std::to_string(n) + "-D";
    if (n == 1) return text;
    if (rule.square_of_groups) return text + ", y = z";
    for (u32 place = 0; place < n; ++place) {
        const auto d =
            static_cast<std::size_t>(std::ranges::find(rule.order, place) - rule.order.begin());
        text += (place == 0 ? ", " : " >= ") + std::string(1, kNames[n - 1 - d]);
    }
    return text;
}

std::string missing_property(const std::vector<u32>& recorded, u32 ranks) {
    if (recorded.size() < 3) return {};
    const auto all = [&](const auto& has) { return std::ranges::all_of(recorded, has); };
    const auto power_of_two = [](u32 n) { return std::has_single_bit(n); };
    const auto square = [](u32 n) { return is_power(n, 2); };
    const auto cube = [](u32 n) { return is_power(n, 3); };
    if (all(cube) && !cube(ranks)) return "a cube";
    if (all(square) && !square(ranks)) return "a square";
    if (all(power_of_two) && !power_of_two(ranks)) return "a power of two";
    return {};
}

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

}  // namespace tracefold
