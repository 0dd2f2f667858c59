// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/program_steps.hpp"

#include <optional>
#include <string>

namespace tracefold {

/// A region of the program that tells what its steps are.
struct StepRegion {
    std::string name;
    bool is_step = false;  ///< entered once in each step; else it is open around all of them

    bool operator==(const StepRegion&) const = default;
};

/// Of the regions that are no functions of MPI: the outermost one that the first rank with steps
/// enters once in each, and in which it makes at least half of their MPI calls; else the innermost
/// one that is open around all steps, but not the outermost one, such as main. The first step may
/// have been entered before it begins. Nothing if there is neither. Cost: unwinds a location.
/// Throws Error(corrupt).
std::optional<StepRegion> find_step_region(TraceFile& file, const ProgramSteps& steps);
/// The same of the steps of one location.
std::optional<StepRegion> find_step_region(TraceFile& file, u32 location,
                                           const LocationSteps& steps);

}  // namespace tracefold
