// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/multi_partition.hpp"
#include "scaling/point.hpp"
#include "scaling/rational.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What numbers of a trace may depend on. The dimensions of a grid are x, y, z from the fastest
/// one on; one that the grid does not have has size 1 and coordinate 0.
enum class Variable : u8 {
    ranks,
    size_x,
    size_y,
    size_z,
    rank,
    x,
    y,
    z,
    index,        ///< of the innermost loop of the point
    trips,        ///< of the same
    outer_index,  ///< of the loop around it
    outer_trips,
};
inline constexpr int kVariables = 12;

/// Precondition: the point has a grid.
i64 value_of(Variable variable, const Point& point);

/// A product of powers and functions of variables: 1, X Y, log2(P), z X Y, the share of a rank of
/// N things that are dealt out to the places of a dimension in a row, the first ones getting one
/// more if they do not divide evenly; and what ranks of a multi-partition have
/// (multi_partition.hpp).
struct Monomial {
    enum class Function : u8 {
        power,       ///< variable to the power of `parameter`
        log2,        ///< not a number unless it is a power of two
        log2_rest,   ///< of the ranks divided by the variable
        exp2,        ///< two to the power of `parameter` times the variable
        share,       ///< of `parameter` things; the variable is the size of the dimension
        cell_place,  ///< where `cell` stands
        cell_share,  ///< how many of `parameter` things it has
        cell_faces,  ///< of cells of `parameter` things, in the dimension of the variable, a size
    };
    struct Factor {
        Function function = Function::power;
        Variable variable{};
        int parameter = 1;
        CellPlace cell = {};  ///< of cell_place, cell_share
        FaceSum faces = {};   ///< of cell_faces

        bool operator==(const Factor&) const = default;
    };

    std::vector<Factor> factors;  ///< none: 1

    bool operator==(const Monomial&) const = default;
};

/// The share of a rank. Precondition: the factor is one.
i64 share_of(const Monomial::Factor& share, const Point& point);

/// Not a number where it is not defined, nor is a share if there are fewer things than places: no
/// program is told from runs where all places have some to run where some have none.
Rational evaluate(const Monomial& monomial, const Point& point);

/// How far-fetched a monomial is: 0 for 1.
u32 weight(const Monomial& monomial);

/// "X Y / 2^i"; empty for 1.
std::string to_text(const Monomial& monomial);

/// The monomials that formulas are made of, by rising weight. `indices`: of how many loops (up to
/// two) the numbers depend on the iteration.
std::vector<Monomial> candidate_monomials(std::size_t dimensions, std::size_t indices);

}  // namespace tracefold
