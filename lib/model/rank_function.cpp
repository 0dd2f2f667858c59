// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_function.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::string_view kCoordinates = "xyzuvw";

/// Sizes of a grid, first small ones.
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

using Term = RankFunction::Term;

/// A line of values along one dimension, as a term of that dimension alone.
struct Line {
    u64 stride = 0;
    u32 offset = 0;
};

/// Where the coordinate wraps, the value falls back by all strides but one.
std::optional<Line> fit_stride(std::span<const u64> line, u64 stride) {
    const auto size = static_cast<u32>(line.size());
    u32 offset = 0;
    for (u32 x = 0; x + 1 < size; ++x) {
        const u64 step = line[x + 1] - line[x];
        if (step == stride) continue;
        if (step != stride - stride * size || offset != 0) return std::nullopt;
        offset = size - 1 - x;
    }
    return Line{stride, offset};
}

/// One of the first two steps is the stride.
std::optional<Line> fit_line(std::span<const u64> line) {
    const auto found = fit_stride(line, line[1] - line[0]);
    return found || line.size() == 2 ? found : fit_stride(line, line[2] - line[1]);
}

bool gives(const RankFunction& function, const RankGrid& grid, std::span<const u64> values) {
    for (u64 participant = 0; participant < values.size(); ++participant) {
        if (evaluate(function, grid, participant) != values[participant]) return false;
    }
    return true;
}

/// A sum of functions of one coordinate each.
std::optional<RankFunction> fit_sum(const RankGrid& grid, std::span<const u64> values) {
    RankFunction function{values[0], {}};
    std::vector<u64> line;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        line.clear();
        for (u32 x = 0; x < grid.sizes()[d]; ++x) line.push_back(values[x * grid.stride(d)]);
        const std::optional<Line> found = fit_line(line);
        if (!found) return std::nullopt;
        Term term{found->stride, found->offset, std::vector<u32>(grid.dimensions(), 0)};
        if (term.stride != 0) term.coefficients[d] = 1;
        function.base -= term.stride * term.offset;
        function.terms.push_back(std::move(term));
    }
    if (!gives(function, grid, values)) return std::nullopt;
    return function;
}

/// The coordinate of a place that stands at each place, as a combination of its coordinates.
Term fit_coordinate(const RankGrid& grid, std::size_t dimension, std::span<const u64> places) {
    const u32 size = grid.sizes()[dimension];
    const auto at = [&](u64 participant) {
        return static_cast<u32>(grid.coordinate(dimension, places[participant]));
    };
    Term term{grid.stride(dimension), at(0), {}};
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        term.coefficients.push_back((at(grid.stride(d)) + size - at(0)) % size);
    }
    return term;
}

/// Places of the grid, numbered from the least value on.
std::optional<RankFunction> fit_places(const RankGrid& grid, std::span<const u64> values) {
    const u64 base = *std::min_element(values.begin(), values.end());
    std::vector<u64> places;
    places.reserve(values.size());
    for (const u64 value : values) {
        if (value - base >= grid.participants()) return std::nullopt;
        places.push_back(value - base);
    }
    RankFunction function{base, {}};
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        function.terms.push_back(fit_coordinate(grid, d, places));
    }
    if (!gives(function, grid, values)) return std::nullopt;
    return function;
}

/// A combination of the coordinates of a square, and the sums of the values where it is 0, 1, ...
struct BlockSide {
    std::vector<u32> coefficients;
    u32 offset = 0;
    std::vector<u64> sums;
};

/// Turned round and shifted so that the sums are as great as they can be, the first ones first:
/// what is cut into the same parts looks the same in whatever place it begins.
BlockSide fit_side(std::span<const u64> values, u32 size, u32 first, u32 second) {
    std::vector<u64> sums(size, 0);
    for (u64 p = 0; p < values.size(); ++p) {
        sums[(first * (p / size) + second * (p % size)) % size] += values[p];
    }
    BlockSide best;
    for (const bool turned : {false, true}) {
        for (u32 offset = 0; offset < size; ++offset) {
            std::vector<u64> shifted;
            for (u32 i = 0; i < size; ++i) {
                shifted.push_back(
                    sums[turned ? (offset + size - i) % size : (i + size - offset) % size]);
            }
            if (shifted <= best.sums) continue;
            const auto sign = [&](u32 coefficient) {
                return turned ? (size - coefficient) % size : coefficient;
            };
            best = {{sign(first), sign(second)}, offset, std::move(shifted)};
        }
    }
    return best;
}

/// Rows and columns of a square that are no others again.
std::size_t different_lines(const std::vector<u64>& square, u32 size) {
    std::set<std::vector<u64>> rows;
    std::set<std::vector<u64>> columns;
    for (u32 i = 0; i < size; ++i) {
        std::vector<u64> row;
        std::vector<u64> column;
        for (u32 k = 0; k < size; ++k) {
            row.push_back(square[i * size + k]);
            column.push_back(square[k * size + i]);
        }
        rows.insert(std::move(row));
        columns.insert(std::move(column));
    }
    return rows.size() + columns.size();
}

/// A number modulo `size`, as the nearest one to 0.
i64 nearest(u32 number, u32 size) {
    return number <= size / 2 ? i64{number} : i64{number} - i64{size};
}

/// "x", "x+1 mod 8", "y-x-2 mod 4", "3".
std::string combination_text(const Term& term, std::size_t dimension, const RankGrid& grid) {
    const u32 size = grid.sizes()[dimension];
    std::string text;
    const auto add = [&text](i64 factor, std::string_view name) {
        if (factor == 0) return;
        if (factor < 0 || !text.empty()) text += factor < 0 ? '-' : '+';
        const i64 absolute = factor < 0 ? -factor : factor;
        if (absolute != 1 || name.empty()) text += std::to_string(absolute);
        text += name;
    };
    u32 used = 0;
    for (std::size_t d = grid.dimensions(); d-- > 0;) {
        const std::size_t name = grid.dimensions() - 1 - d;
        used += term.coefficients[d];
        add(nearest(term.coefficients[d], size), kCoordinates.substr(name, 1));
    }
    if (used == 0) return std::to_string(term.offset);
    add(nearest(term.offset, size), "");
    const bool is_plain = used == 1 && term.coefficients[dimension] == 1 && term.offset == 0;
    return is_plain ? text : text + " mod " + std::to_string(size);
}

/// Goes up or down with one coordinate.
bool follows_one(const Term& term, u32 size) {
    u32 steps = 0;
    for (const u32 coefficient : term.coefficients) {
        if (coefficient > 1 && coefficient + 1 != size) return false;
        steps += coefficient != 0 ? 1U : 0U;
    }
    return steps == 1;
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

/// The dimension that is cut next: one of the largest parts, or the one behind the last.
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

bool is_idle(const Term& term) {
    const auto is_zero = [](u32 coefficient) { return coefficient == 0; };
    return term.stride == 0 || (term.offset == 0 && std::all_of(term.coefficients.begin(),
                                                                term.coefficients.end(), is_zero));
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

u64 evaluate(const RankFunction& function, const RankGrid& grid, u64 participant) {
    u64 value = function.base;
    for (std::size_t t = 0; t < function.terms.size(); ++t) {
        const RankFunction::Term& term = function.terms[t];
        u64 combination = term.offset;
        for (std::size_t d = 0; d < term.coefficients.size(); ++d) {
            combination += term.coefficients[d] * grid.coordinate(d, participant);
        }
        value += term.stride * (combination % grid.sizes()[t]);
    }
    return value;
}

std::optional<RankFunction> fit_function(const RankGrid& grid, std::span<const u64> values) {
    std::optional<RankFunction> function = fit_sum(grid, values);
    return function ? function : fit_places(grid, values);
}

RankFunction find_blocks(const RankGrid& grid, std::span<const u64> values) {
    const u32 size = grid.sizes()[0];
    // Combinations by their coefficients, in pairs that reach every place.
    const std::vector<BlockSide> sides = {
        fit_side(values, size, 1, 0), fit_side(values, size, 0, 1), fit_side(values, size, 1, 1),
        fit_side(values, size, 1, size - 1)};
    constexpr std::pair<u32, u32> kPairs[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}};
    RankFunction best;
    std::size_t least = ~std::size_t{0};
    std::vector<u64> square(values.size());
    for (const auto& [a, b] : kPairs) {
        RankFunction function{0,
                              {{grid.stride(0), sides[a].offset, sides[a].coefficients},
                               {grid.stride(1), sides[b].offset, sides[b].coefficients}}};
        for (u64 p = 0; p < values.size(); ++p) square[evaluate(function, grid, p)] = values[p];
        const std::size_t lines = different_lines(square, size);
        if (lines >= least) continue;
        least = lines;
        best = std::move(function);
    }
    return best;
}

std::optional<std::string> place_text(const RankFunction& function, const RankGrid& grid) {
    if (function.base != 0) return std::nullopt;
    std::string text;
    for (std::size_t d = grid.dimensions(); d-- > 0;) {
        const Term& term = function.terms[d];
        const bool leads = term.stride == grid.stride(d) && follows_one(term, grid.sizes()[d]);
        if (!leads) return std::nullopt;
        text.append(text.empty() ? "(" : ", ");
        text.append(combination_text(term, d, grid));
    }
    return text.append(")");
}

std::string function_text(const RankFunction& function, const RankGrid& grid) {
    std::string text;
    if (function.base != 0) text = std::to_string(static_cast<i64>(function.base));
    for (std::size_t d = grid.dimensions(); d-- > 0;) {
        const Term& term = function.terms[d];
        if (is_idle(term)) continue;
        const auto stride = static_cast<i64>(term.stride);
        if (!text.empty()) text.append(stride < 0 ? " - " : " + ");
        if (text.empty() && stride < 0) text = "-";
        const i64 size = stride < 0 ? -stride : stride;
        if (size != 1) text.append(std::to_string(size)).append(" ");
        const std::string combination = combination_text(term, d, grid);
        text.append(combination.size() == 1 ? combination : "(" + combination + ")");
    }
    return text.empty() ? "0" : text;
}

}  // namespace tracefold
