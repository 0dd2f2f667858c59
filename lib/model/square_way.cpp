// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/square_way.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

using Term = RankFunction::Term;

/// Combinations of the coordinates of a square by their coefficients, the second one that many
/// times the size less, and the pairs of them that reach every place.
struct Combination {
    u32 first = 0;
    u32 second = 0;
    bool minus = false;
};
constexpr std::array<Combination, 4> kCombinations = {{{1, 0}, {0, 1}, {1, 1}, {1, 1, true}}};
constexpr std::array<std::pair<u32, u32>, 5> kPairs = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}};

/// The sums of the values where a combination is 0, 1, ...
std::vector<u64> line_sums(std::span<const u64> values, u32 size, const Combination& combination) {
    const u32 second = combination.minus ? size - 1 : combination.second;
    std::vector<u64> sums(size, 0);
    for (u64 p = 0; p < values.size(); ++p) {
        sums[(combination.first * (p / size) + second * (p % size)) % size] += values[p];
    }
    return sums;
}

/// A combination as a coordinate: as it is, or turned round.
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

/// Turned round and shifted so that the sums are as great as they can be, the first ones first:
/// what is cut into the same parts looks the same in whatever place it begins.
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

/// The coordinates along a combination whose lines have the sums of a square's.
std::vector<Term> fitting_sides(std::span<const u64> values, std::span<const u64> sums,
                                const Combination& combination) {
    const auto size = static_cast<u32>(sums.size());
    const std::vector<u64> own = line_sums(values, size, combination);
    std::vector<Term> found;
    for (const bool turned : {false, true}) {
        if (turned && size == 2) continue;  // the same again
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
