// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/rank_function.hpp"

#include <array>

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

}  // namespace tracefold
