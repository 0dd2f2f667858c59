// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/program_steps.hpp"

#include <vector>

namespace tracefold {

/// How the computation of ranks differs within steps. Ranks without operations in steps are left
/// out.
struct StepImbalance {
    struct Step {
        double mean = 0;  ///< ticks, over ranks
        u64 most = 0;
        u32 rank = 0;  ///< that computes most

        /// Greatest / mean - 1; 0 if none computes.
        [[nodiscard]] double imbalance() const {
            return mean == 0 ? 0 : static_cast<double>(most) / mean - 1;
        }
    };
    struct Rank {
        u32 rank = 0;
        double mean = 0;       ///< ticks, over steps
        double over_mean = 0;  ///< its computation / that of all ranks - 1, mean over steps
        u64 slowest = 0;       ///< steps in which it computes most
    };

    std::vector<Step> steps;
    std::vector<Rank> ranks;  ///< ascending

    /// Mean over steps.
    [[nodiscard]] double mean() const;
};

/// Cost: reads the calls of all ranks, divided among `threads`. Precondition: the file has times.
/// Throws Error(corrupt).
StepImbalance step_imbalance(TraceFile& file, const ProgramSteps& steps, u32 threads);

}  // namespace tracefold
