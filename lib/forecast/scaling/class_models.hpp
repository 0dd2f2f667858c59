// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/program_model.hpp"

namespace tracefold {

/// Models all classes of ranks for one arrangement and classification, or reports the first number
/// without a formula. `all`: runs whose global definitions are used, in addition to `runs`.
/// `target`: requested grid. Cost: up to the first failure, the calls of all runs.
std::variant<ProgramModel, Refusal> model_classes(const std::vector<FoldedRun>& runs,
                                                  const std::vector<FoldedRun>& all,
                                                  const CallTypes& kinds, const GridRule& rule,
                                                  const GridClasses& classes,
                                                  const RankGrid& target, FitOptions options);

}  // namespace tracefold
