// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/program_model.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct ExtrapolationOutput {
    std::string path;
    std::string producer;
    int level = 19;  ///< zstd level
    bool force = false;
    u32 regime_above = 0;  ///< ranks above which the runs are those of a regime; 0: none
};

/// " (a regime of P > 64, as given)"; empty for 0.
std::string regime_text(u32 above);

/// Under which the calls of the extrapolated run are exact; formulas of runs cannot know it: "the
/// program does nothing new beyond 64 ranks".
std::string assumption(const ProgramModel& model, const std::vector<TrainingRun>& runs);

/// Folds the extrapolated run of a model into a file, which appears only if check_replay() finds
/// that it can be replayed, and nothing that the largest run has not; returns the file size in
/// bytes. Throws Error: io, unsupported. Cost: that of the check as well.
u64 fold_extrapolated(const ProgramModel& model, const CallTypes& kinds,
                      const std::vector<TrainingRun>& runs, const ExtrapolationOutput& output);

}  // namespace tracefold
