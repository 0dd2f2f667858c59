// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "mpi/program_steps.hpp"
#include "mpi/steps/step_search.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Steps that are the iterations of one loop on each rank.
struct LoopSteps {
    std::vector<Cut> cuts;                 ///< as align_steps() returns them
    std::vector<LocationSteps> locations;  ///< by location
};

/// The iterations of the main loops, if all ranks that communicate run them equally often and have
/// nearly all of their operations in them, and if no message or collective operation crosses from
/// one iteration to another. The same of the loops within them, if the main loops have few
/// iterations that are stretches of as many steps, as those between two checkpoints. Cost: unwinds
/// the locations, divided among `threads`. Throws Error(corrupt).
std::optional<LoopSteps> find_loop_steps(TraceFile& file, const StepSearch& search, u32 threads);

/// Whether three quarters of the steps of all ranks have the usual number of messages, accesses and
/// collectives that their rank starts. Cost: linear in the operations.
bool are_regular(const Operations& all, const std::vector<Cut>& cuts);

}  // namespace tracefold
