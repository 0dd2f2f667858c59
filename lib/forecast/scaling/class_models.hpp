// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/program_model.hpp"

namespace tracefold {

/// Models all classes of ranks under one arrangement and one way to tell ranks apart, or tells the
/// first number that has no formula. `all`: whose global definitions are looked at, besides those
/// of `runs`. `target`: the grid that is asked for. Cost: up to the first failure, the calls of all
/// runs.
std::variant<ProgramModel, Refusal> model_classes(const std::vector<FoldedRun>& runs,
                                                  const std::vector<FoldedRun>& all,
                                                  const CallTypes& kinds, const GridRule& rule,
                                                  const GridClasses& classes,
                                                  const RankGrid& target, FitOptions options);

}  // namespace tracefold
