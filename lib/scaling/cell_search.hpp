// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/fit.hpp"

namespace tracefold::inline scaling {

/// Looks for a formula of what ranks of a multi-partition do: sums of places of cells (as in tags),
/// multiples of the product of two shares (the face of a cell), or of all faces of a rank. All such
/// formulas that give every number are compared at the targets; if they do not agree there, one is
/// the rival of another. Nothing unless the grids are squares and there are several different
/// numbers. `things`: how many things a dimension has, if that is known. Cost: numbers of things
/// times the observations; for those that may be right, pairs of places of cells.
Fit fit_cells(std::span<const FitSample> observations, std::span<const Point> targets,
              std::optional<int> things);

}  // namespace tracefold::inline scaling
