// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/growth.hpp"
#include "scaling/monomial.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// A number of a trace as a function of the run, the rank, and the iteration; exact but for one
/// kind.
struct Formula {
    /// What the formula gives.
    enum class Kind : u8 {
        number,        ///< the number itself: a sum of terms
        place,         ///< the distance to the rank at another place of the grid
        absolute,      ///< the distance to the rank that the sum of terms says
        exclusive_or,  ///< the distance to the own rank xor the sum of terms
        approximate,   ///< the growth with the number of ranks, to the next whole number
    };
    struct Term {
        Rational coefficient;
        Monomial monomial;

        bool operator==(const Term&) const = default;
    };
    /// A coordinate of that place, modulo the size of its dimension.
    struct Coordinate {
        std::vector<int> coefficients;  ///< of the own coordinates, by dimension of the grid
        int index = 0;                  ///< coefficient of the innermost loop's iteration
        i64 offset = 0;

        bool operator==(const Coordinate&) const = default;
    };

    Kind kind = Kind::number;
    std::vector<Term> terms;
    std::vector<Coordinate> place;  ///< by dimension of the grid
    Growth growth = {};             ///< of approximate

    bool operator==(const Formula&) const = default;
};

/// The coordinate at a point, in a dimension of this size.
i64 coordinate_at(const Formula::Coordinate& coordinate, i64 size, const Point& point);

/// The number, as it stands in the column of a relative peer where it is a distance. Nothing if it
/// is no whole number, or leads to no rank of the run.
std::optional<u64> evaluate(const Formula& formula, const Point& point);

/// "40 share(64, X) - 8", "to (x+1 mod X, y)", "to rank xor 2^i".
std::string to_text(const Formula& formula);

}  // namespace tracefold
