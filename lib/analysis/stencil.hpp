// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

/// A grid of ranks in which every rank sends to the same neighbours, as far as they exist: rank r
/// stands at the coordinates of row-major order, the last dimension being the fastest.
struct Stencil {
    static constexpr std::size_t kMostDimensions = 4;
    using Offset = std::array<int, kMostDimensions>;

    std::vector<u32> grid;        ///< ranks by dimension
    std::vector<bool> periodic;   ///< by dimension; not known for two ranks or less
    std::vector<Offset> offsets;  ///< of the neighbours, in rising order
    bool complete = false;        ///< all ranks send to all others: other grids may do as well

    [[nodiscard]] std::size_t dimensions() const { return grid.size(); }
    /// In how many dimensions an offset moves: 1 over a face, 2 over an edge.
    static int moves(const Offset& offset);
    /// From a rank to another one, the shorter way round.
    [[nodiscard]] Offset offset(u32 from, u32 to) const;
};

/// Who sends to whom, without ranks that send to themselves.
using RankPairs = std::vector<std::pair<u32, u32>>;

/// The stencil that `pairs` are exactly, with the fewest neighbours; nothing if there is none
/// within two ranks in every dimension. Cost: pairs x ways to write `ranks` as a product of up to
/// four factors, most of which fail at once.
std::optional<Stencil> find_stencil(u32 ranks, const RankPairs& pairs);
/// The same on a given grid. Cost: linear.
std::optional<Stencil> fit_stencil(const std::vector<u32>& grid, const RankPairs& pairs);

}  // namespace tracefold
