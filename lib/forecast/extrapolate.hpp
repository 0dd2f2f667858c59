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
    int level = 19;  ///< of zstd
    bool force = false;
};

/// Folds the run that a model tells of into a file, which appears whole or not at all; returns its
/// bytes. Throws Error: io, unsupported.
u64 fold_extrapolated(const ProgramModel& model, const CallTypes& kinds,
                      const std::vector<TrainingRun>& runs, const ExtrapolationOutput& output);

}  // namespace tracefold
