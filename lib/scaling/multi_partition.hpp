// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/point.hpp"

#include <string>

namespace tracefold {

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
i64 share_of(const CellPlace& cell, i64 things, const Point& point);

/// Cost: X.
i64 sum_of_faces(const FaceSum& faces, i64 things, const Point& point);

/// "(x+y-i+1 mod X)"
std::string to_text(const CellPlace& cell);
/// "cell(64, x+y-i)", "inner(64, x)", "(cell(64, x) + 1)"
std::string to_text(const CellPlace& cell, i64 things);
/// "faces(64, x)", "faces(64, x but the last)"
std::string to_text(const FaceSum& faces, i64 things);

}  // namespace tracefold
