// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_function.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::string_view kCoordinates = "xyzuvw";

using Term = RankFunction::Term;

/// Values along one dimension, as a term of that dimension alone.
struct Line {
    u64 stride = 0;
    u32 offset = 0;
};

/// Where the coordinate wraps, the value drops by all strides but one.
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

/// The stride is one of the first two steps.
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

/// Fits a sum of functions of one coordinate each.
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

/// Fits one coordinate of the mapped positions as a combination of the own coordinates.
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

/// Fits grid positions, numbered from `base` on.
std::optional<RankFunction> fit_places_from(u64 base, const RankGrid& grid,
                                            std::span<const u64> values) {
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

/// Returns the representative of a number modulo `size` that is nearest to 0.
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
    u32 largest = 0;  // value of the sum
    for (std::size_t d = grid.dimensions(); d-- > 0;) {
        const std::size_t name = grid.dimensions() - 1 - d;
        used += term.coefficients[d];
        largest += term.coefficients[d] * (grid.sizes()[d] - 1);
        add(nearest(term.coefficients[d], size), kCoordinates.substr(name, 1));
    }
    if (used == 0) return std::to_string(term.offset);
    add(nearest(term.offset, size), "");
    const bool is_plain = used == 1 && largest < size && term.offset == 0;
    return is_plain ? text : text + " mod " + std::to_string(size);
}

/// True if the term rises or falls with exactly one coordinate.
bool follows_one(const Term& term, u32 size) {
    u32 steps = 0;
    for (const u32 coefficient : term.coefficients) {
        if (coefficient > 1 && coefficient + 1 != size) return false;
        steps += coefficient != 0 ? 1U : 0U;
    }
    return steps == 1;
}

}  // namespace

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
    if (function) return function;
    return fit_places_from(*std::min_element(values.begin(), values.end()), grid, values);
}

std::optional<RankFunction> fit_places(const RankGrid& grid, std::span<const u64> values) {
    return fit_places_from(0, grid, values);
}

std::optional<RankFunction> fit_displacement(const RankGrid& grid,
                                             std::span<const u32> participants,
                                             std::span<const u64> values) {
    RankFunction function;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        const auto size = grid.sizes()[d];
        const auto shift = [&](std::size_t i) {
            return (grid.coordinate(d, values[i]) + size - grid.coordinate(d, participants[i])) %
                   size;
        };
        Term term{grid.stride(d), static_cast<u32>(shift(0)),
                  std::vector<u32>(grid.dimensions(), 0)};
        term.coefficients[d] = 1;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] >= grid.participants() || shift(i) != term.offset) return std::nullopt;
        }
        function.terms.push_back(std::move(term));
    }
    return function;
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

namespace {

using Term = RankFunction::Term;

/// Combinations of the coordinates of a square by their coefficients (`minus`: the second one is
/// size - 1), and the pairs of them that reach every position.
struct Combination {
    u32 first = 0;
    u32 second = 0;
    bool minus = false;
};
constexpr std::array<Combination, 4> kCombinations = {{{1, 0}, {0, 1}, {1, 1}, {1, 1, true}}};
constexpr std::array<std::pair<u32, u32>, 5> kPairs = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}};

/// Sums the values over the positions where a combination is 0, 1, ...
std::vector<u64> line_sums(std::span<const u64> values, u32 size, const Combination& combination) {
    const u32 second = combination.minus ? size - 1 : combination.second;
    std::vector<u64> sums(size, 0);
    for (u64 p = 0; p < values.size(); ++p) {
        sums[(combination.first * (p / size) + second * (p % size)) % size] += values[p];
    }
    return sums;
}

/// The coefficients of a combination, in its direction or reversed.
std::vector<u32> coefficients_of(const Combination& combination, u32 size, bool turned) {
    const auto sign = [&](u32 coefficient, bool minus) {
        return minus ? (size - coefficient) % size : coefficient;
    };
    return {sign(combination.first, turned), sign(combination.second, turned != combination.minus)};
}

/// A combination of the coordinates of a square, and the sums of the values where it is 0, 1, ...
struct BlockSide {
    std::vector<u32> coefficients;
    u32 offset = 0;
    std::vector<u64> sums;
};

/// Chooses direction and offset so that the sums are lexicographically largest: a canonical form
/// for equal partitions with any origin.
BlockSide fit_side(std::span<const u64> values, u32 size, const Combination& combination) {
    const std::vector<u64> sums = line_sums(values, size, combination);
    BlockSide best;
    for (const bool turned : {false, true}) {
        for (u32 offset = 0; offset < size; ++offset) {
            std::vector<u64> shifted;
            for (u32 i = 0; i < size; ++i) {
                shifted.push_back(
                    sums[turned ? (offset + size - i) % size : (i + size - offset) % size]);
            }
            if (shifted <= best.sums) continue;
            best = {coefficients_of(combination, size, turned), offset, std::move(shifted)};
        }
    }
    return best;
}

/// Returns the coordinates along a combination whose line sums equal those of the square.
std::vector<Term> fitting_sides(std::span<const u64> values, std::span<const u64> sums,
                                const Combination& combination) {
    const auto size = static_cast<u32>(sums.size());
    const std::vector<u64> own = line_sums(values, size, combination);
    std::vector<Term> found;
    for (const bool turned : {false, true}) {
        if (turned && size == 2) continue;  // reversing has no effect
        for (u32 offset = 0; offset < size; ++offset) {
            bool fits = true;
            for (u32 i = 0; i < size && fits; ++i) {
                fits = own[i] == sums[(turned ? offset + size - i : offset + i) % size];
            }
            if (fits) found.push_back({0, offset, coefficients_of(combination, size, turned)});
        }
    }
    return found;
}

/// Counts distinct rows and columns of a square.
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

}  // namespace

RankFunction find_blocks(const RankGrid& grid, std::span<const u64> values) {
    const u32 size = grid.sizes()[0];
    std::vector<BlockSide> sides;
    for (const Combination& combination : kCombinations) {
        sides.push_back(fit_side(values, size, combination));
    }
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

std::optional<RankFunction> find_way(const RankGrid& grid, std::span<const u64> square,
                                     std::span<const u64> values) {
    constexpr int kMostTries = 256;
    const u32 size = grid.sizes()[0];
    const std::vector<u64> rows = line_sums(square, size, kCombinations[0]);
    const std::vector<u64> columns = line_sums(square, size, kCombinations[1]);
    std::vector<std::vector<Term>> first;
    std::vector<std::vector<Term>> second;
    for (const Combination& combination : kCombinations) {
        first.push_back(fitting_sides(values, rows, combination));
        second.push_back(fitting_sides(values, columns, combination));
    }
    int tries = 0;
    const auto fits = [&](const RankFunction& way) {
        for (u64 p = 0; p < values.size(); ++p) {
            if (square[evaluate(way, grid, p)] != values[p]) return false;
        }
        return true;
    };
    const auto find = [&](u32 a, u32 b) -> std::optional<RankFunction> {
        for (Term& row : first[a]) {
            for (Term& column : second[b]) {
                if (++tries > kMostTries) return std::nullopt;
                row.stride = grid.stride(0);
                column.stride = grid.stride(1);
                RankFunction way{0, {row, column}};
                if (fits(way)) return way;
            }
        }
        return std::nullopt;
    };
    for (const auto& [a, b] : kPairs) {
        if (const auto way = find(a, b)) return way;
        if (const auto way = find(b, a)) return way;
    }
    return std::nullopt;
}

}  // namespace tracefold
