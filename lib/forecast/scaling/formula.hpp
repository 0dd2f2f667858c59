// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/elimination.hpp"
#include "forecast/scaling/growth.hpp"
#include "forecast/scaling/rank_communicators.hpp"
#include "model/rank_function.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Position of a number in a trace: run, rank, and iterations of enclosing loops of varying length.
struct Point {
    static constexpr std::size_t kLoops = 2;

    struct Loop {
        u32 index = 0;  ///< iteration, from 0
        u32 trips = 0;  ///< iterations; 0: no such loop

        bool operator==(const Loop&) const = default;
        /// Index and trips in one number.
        [[nodiscard]] u64 packed() const { return u64{index} << 32U | trips; }
    };

    const RankGrid* grid = nullptr;  ///< of the run
    u32 rank = 0;
    std::array<Loop, kLoops> loops{};                  ///< innermost first
    const RankCommunicators* communicators = nullptr;  ///< of the run; null in global definitions
    u64 communicator = 0;  ///< id, where ranks are those in a communicator
};

/// The point with the rank and the number of ranks in communicator number `which` of its rank; none
/// if the rank has no such one.
std::optional<Point> within(const Point& point, u32 which);

/// Wraps a coordinate around a periodic dimension.
constexpr i64 modulo(i64 value, i64 size) {
    const i64 rest = value % size;
    return rest < 0 ? rest + size : rest;
}

/// Multi-partitions (Bruno and Cappello, 1988; NPB BT and SP): a box is cut into X x X x X cells,
/// and each of X x X ranks owns X of them, one in every plane of every dimension. All ranks are
/// busy in a sweep along any direction.

/// A cell coordinate modulo X: x, y, innermost iteration, each times -1, 0 or 1, plus an offset.
struct CellPlace {
    /// Extension of a share beyond the cell's elements.
    enum class Extent : u8 {
        whole,
        inner,     ///< without the domain's first and last element
        one_more,  ///< with a halo on one side
        two_more,  ///< with halos on both sides
    };

    int x = 0;
    int y = 0;
    int index = 0;
    int offset = 0;
    Extent extent = Extent::whole;  ///< of a share

    bool operator==(const CellPlace&) const = default;
};

/// The faces of all cells of a rank towards their neighbours in a dimension; a face is the product
/// of the other two shares. From one z plane to the next, a rank's cells move forward or backward
/// in x and y.
struct FaceSum {
    int step_x = 1;
    int step_y = -1;
    int dimension = 0;  ///< 0: x, 1: y, 2: z
    int left_out = 0;   ///< 1: the cell in the dimension's first plane; -1: in the last

    bool operator==(const FaceSum&) const = default;
};

/// From 0 to X - 1. Precondition of all functions: the grid is square.
i64 place_of(const CellPlace& cell, const Point& point);

/// Number of elements of a cell in a dimension of `problem_size`: distributed evenly, the first
/// cells get one more if there is a remainder.
i64 share_of(const CellPlace& cell, i64 problem_size, const Point& point);

/// Sum of the faces. Cost: X.
i64 sum_of_faces(const FaceSum& faces, i64 problem_size, const Point& point);

/// "(x+y-i+1 mod X)"
std::string to_text(const CellPlace& cell);
/// "cell(64, x+y-i)", "inner(64, x)", "(cell(64, x) + 1)"
std::string to_text(const CellPlace& cell, i64 problem_size);
/// "faces(64, x)", "faces(64, x but the last)"
std::string to_text(const FaceSum& faces, i64 problem_size);

/// Variables of formulas. The dimensions of a grid are x, y, z from the fastest one on; a missing
/// dimension has size 1 and coordinate 0.
enum class Variable : u8 {
    ranks,
    size_x,
    size_y,
    size_z,
    rank,
    x,
    y,
    z,
    index,        ///< of the point's innermost loop
    trips,        ///< of the point's innermost loop
    outer_index,  ///< of the enclosing loop
    outer_trips,
    communicator,  ///< id
};
inline constexpr int kVariables = 13;

/// Precondition: the point has a grid.
i64 value_of(Variable variable, const Point& point);

/// How N elements are distributed over the places of a dimension in blocks: which places get those
/// that are left over.
enum class Distribution : u8 {
    first,       ///< the first places get one more
    last,        ///< the last places get one more
    spread,      ///< place i ends at (i + 1) N / size, rounded down
    ceiling,     ///< blocks of N / size, rounded up; the last place gets less
    rest_first,  ///< the first place gets all of them
    rest_last,   ///< the last place gets all of them
};
inline constexpr int kDistributions = 6;

/// A product of powers and functions of variables: 1, X Y, log2(P), z X Y; the share of a rank of N
/// elements that are distributed over a dimension in blocks; and quantities of multi-partitions.
struct Monomial {
    enum class Function : u8 {
        power,       ///< variable ^ `parameter`
        log2,        ///< NaN unless a power of two
        log2_rest,   ///< of ranks / variable
        exp2,        ///< 2 ^ (`parameter` x variable)
        quotient,    ///< the variable by the size of dimension `parameter`, rounded down
        remainder,   ///< of the variable by `parameter`
        block,       ///< the variable plus `offset` by `parameter`, rounded down
        part,        ///< in which of `parameter` equal parts of all ranks the variable is
        share,       ///< of `parameter` elements; the variable is the dimension's size, or ranks
        cell_place,  ///< coordinate of `cell`
        cell_share,  ///< elements of `cell` for a problem size of `parameter`
        cell_faces,  ///< of cells for a problem size of `parameter`; the variable is a size
    };
    struct Factor {
        Function function = Function::power;
        Variable variable{};
        int parameter = 1;
        CellPlace cell = {};  ///< of cell_place, cell_share
        FaceSum faces = {};   ///< of cell_faces
        int offset = 0;       ///< of block; of share: from the own place, around the dimension
        Distribution distribution = Distribution::first;  ///< of share

        bool operator==(const Factor&) const = default;
    };

    std::vector<Factor> factors;  ///< empty: 1

    bool operator==(const Monomial&) const = default;
};

/// The share of a rank. Precondition: `share` is a share factor.
i64 share_of(const Monomial::Factor& share, const Point& point);

/// NaN where undefined. Shares are undefined with fewer elements than places: runs in which all
/// places have some do not show the behaviour of empty ones.
Rational evaluate(const Monomial& monomial, const Point& point);

/// Complexity of a monomial: 0 for 1.
u32 weight(const Monomial& monomial);

/// "X Y / 2^i"; empty for 1.
std::string to_text(const Monomial& monomial);

/// Monomials of formulas, by ascending weight. `indices`: number of loops (up to two) on whose
/// iteration the numbers depend.
std::vector<Monomial> candidate_monomials(std::size_t dimensions, std::size_t indices);

/// A number of a trace as a function of run, rank and iteration; exact except for one kind, and
/// for rounded ones.
struct Formula {
    /// Meaning of the formula's value.
    enum class Kind : u8 {
        number,        ///< the number: a sum of terms
        place,         ///< distance to the rank at a grid position
        absolute,      ///< distance to the rank given by the sum of terms
        exclusive_or,  ///< distance to own rank XOR sum of terms
        approximate,   ///< growth with the number of ranks, rounded
    };
    struct Term {
        Rational coefficient;
        Monomial monomial;

        bool operator==(const Term&) const = default;
    };
    /// A coordinate of the position, modulo the size of its dimension.
    struct Coordinate {
        std::vector<int> coefficients;  ///< of the own coordinates, by dimension
        int index = 0;                  ///< coefficient of the innermost loop's iteration
        i64 offset = 0;

        bool operator==(const Coordinate&) const = default;
    };

    Kind kind = Kind::number;
    std::vector<Term> terms;
    std::vector<Coordinate> place;  ///< by dimension of the grid
    Growth growth = {};             ///< of approximate
    /// Ranks and their number are those in this communicator of the rank; kNone: of the run.
    u32 communicator = kNone;
    u64 element = 1;       ///< of sizes: bytes of which they are multiples
    bool rounded = false;  ///< to whole elements

    bool operator==(const Formula&) const = default;
};

/// The coordinate at a point, in a dimension of this size.
i64 coordinate_at(const Formula::Coordinate& coordinate, i64 size, const Point& point);

/// The value of a formula; distances as stored in the column of a relative peer. None if it is no
/// integer, no number of whole elements, or yields no rank of the run.
std::optional<u64> evaluate(const Formula& formula, const Point& point);

/// "40 share(64, X) - 8", "to (x+1 mod X, y)", "to rank xor 2^i".
std::string to_text(const Formula& formula);

/// Why evaluate() yields nothing: "56000 / X gives 437.5 elements of 8 bytes, and the runs ...".
std::string impossible_text(const Formula& formula, const Point& point);

}  // namespace tracefold
