// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/program_steps.hpp"

#include <vector>

namespace tracefold {

/// The computation of a location in each of its steps: ticks between MPI calls, from the end of one
/// to the begin of the next, which the step of the next one has. Precondition: the file has times.
/// Cost: reads the location's calls and times. Throws Error(corrupt).
std::vector<u64> computation_by_step(TraceFile& file, u32 location, const LocationSteps& steps);

}  // namespace tracefold
