// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/operations.hpp"

#include <vector>

namespace tracefold::inline steps {

/// Places in the operations of every rank, by rank.
using Cut = std::vector<u32>;

/// The same operations from the last to the first.
Operations reversed(const Operations& all);
/// The places of a cut of reversed operations, as those of the operations themselves.
Cut reversed(const Cut& cut, const Operations& all);

/// Where the steps of all ranks begin, and at last where they end. Each cut lies between the least
/// and the greatest quiescent cut at which the reference rank can begin the step. Within that, a
/// rank begins its step with the operations that it begins the first one with, if it can, else as
/// many operations after the step before as usual. If a message were then sent in one step and
/// received in another, the least cuts are taken. Preconditions: as many of both, at least three;
/// the least is nowhere behind the greatest. Cost: operations, and steps x width of the ranges.
std::vector<Cut> align_steps(const Operations& all, const std::vector<Cut>& least,
                             const std::vector<Cut>& greatest);

}  // namespace tracefold::inline steps
