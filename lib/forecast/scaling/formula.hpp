// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/elimination.hpp"
#include "forecast/scaling/growth.hpp"
#include "model/rank_function.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Where a number of a trace stands: in which run, on which rank, in which iteration of the loops
/// around whose numbers of iterations are not the same everywhere.
struct Point {
    static constexpr std::size_t kLoops = 2;

    struct Loop {
        u32 index = 0;  ///< iteration, from 0
        u32 trips = 0;  ///< iterations; 0: there is no such loop

        bool operator==(const Loop&) const = default;
        /// Both in one number.
        [[nodiscard]] u64 packed() const { return u64{index} << 32U | trips; }
    };

    const RankGrid* grid = nullptr;  ///< of the run
    u32 rank = 0;
    std::array<Loop, kLoops> loops{};  ///< the innermost first
};

/// The coordinate that a number stands for in a dimension that wraps around.
constexpr i64 modulo(i64 value, i64 size) {
    const i64 rest = value % size;
    return rest < 0 ? rest + size : rest;
}

/// Multi-partitions (Bruno and Cappello, 1988; NPB BT and SP): a box is cut into X x X x X cells,
/// and each of X x X ranks has X of them, one in every plane of every dimension, so that all ranks
/// are busy in a sweep of any direction.

/// A cell in one dimension: x, y and the iteration of the innermost loop, each times -1, 0 or 1,
/// and an offset; modulo X.
struct CellPlace {
    /// What a share is besides the things of the cell.
    enum class Extent : u8 {
        whole,
        inner,     ///< without the first thing of the first cell, and the last one of the last
        one_more,  ///< with a halo at one side
        two_more,  ///< at both sides
    };

    int x = 0;
    int y = 0;
    int index = 0;
    int offset = 0;
    Extent extent = Extent::whole;  ///< of a share

    bool operator==(const CellPlace&) const = default;
};

/// The faces of all cells of a rank towards the next ones in a dimension, each as many things large
/// as the product of the other two shares. From plane to plane of z, the cells of a rank go forth
/// or back in x and y.
struct FaceSum {
    int step_x = 1;
    int step_y = -1;
    int dimension = 0;  ///< 0: x, 1: y, 2: z
    int left_out = 0;   ///< 1: the cell in the first plane of that dimension; -1: in the last one

    bool operator==(const FaceSum&) const = default;
};

/// From 0 to X - 1. Precondition of all functions: the grid is a square.
i64 place_of(const CellPlace& cell, const Point& point);

/// How many of so many things a cell has: they are dealt out evenly, the first cells getting one
/// more if there is a rest.
i64 share_of(const CellPlace& cell, i64 problem_size, const Point& point);

/// Cost: X.
i64 sum_of_faces(const FaceSum& faces, i64 problem_size, const Point& point);

/// "(x+y-i+1 mod X)"
std::string to_text(const CellPlace& cell);
/// "cell(64, x+y-i)", "inner(64, x)", "(cell(64, x) + 1)"
std::string to_text(const CellPlace& cell, i64 problem_size);
/// "faces(64, x)", "faces(64, x but the last)"
std::string to_text(const FaceSum& faces, i64 problem_size);

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
