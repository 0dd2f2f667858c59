// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/function_draft.hpp"

#include <vector>

namespace tracefold {

/// Participants beyond which grids are not tried.
inline constexpr std::size_t kMostPlaced = std::size_t{1} << 14U;

/// Grids of so many participants that displacements are looked for on: those of up to three
/// dimensions, then those that cutting gives.
std::vector<DigitGrid> all_grids_of(u32 participants);

/// From the place of a participant to others, as numbers that stand for steps in all dimensions.
class Displacements {
  public:
    /// With wraps, a step is the nearest one of those that lead to a place on a torus.
    Displacements(const DigitGrid& grid, bool wraps);

    [[nodiscard]] u64 between(u64 from, u64 to) const;
    /// By dimension.
    [[nodiscard]] std::vector<i64> steps(u64 code) const;
    /// What leads from a place to the one that is so far away.
    [[nodiscard]] PlaceFunction function(u64 code) const;

    [[nodiscard]] const DigitGrid& grid() const { return grid_; }
    [[nodiscard]] bool wraps() const { return wraps_; }
    [[nodiscard]] const std::vector<u32>& place(u64 participant) const {
        return places_[participant];
    }

  private:
    DigitGrid grid_;
    bool wraps_;
    std::vector<std::vector<u32>> places_;
};

/// The same number everywhere.
PlaceFunction constant_function(u64 number, std::size_t dimensions);

}  // namespace tracefold
