// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/quiescent_cuts.hpp"

#include <vector>

namespace tracefold {

/// Where the steps of all ranks begin, and at last where they end. Each cut lies between the least
/// and the greatest quiescent cut at which the reference rank can begin the step. Within that, a
/// rank begins its step with the operations that it begins the first one with, if it can, else as
/// many operations after the step before as usual. If a message were then sent in one step and
/// received in another, the least cuts are taken. Preconditions: as many of both, at least three;
/// the least is nowhere behind the greatest. Cost: operations, and steps x width of the ranges;
/// `threads` share it out.
std::vector<Cut> align_steps(const Operations& all, const Counterparts& counterparts,
                             const std::vector<Cut>& least, const std::vector<Cut>& greatest,
                             u32 threads = 1);

}  // namespace tracefold
