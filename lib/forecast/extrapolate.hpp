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
};

/// Folds the extrapolated run of a model into a file, atomically; returns the file size in bytes.
/// Throws Error: io, unsupported.
u64 fold_extrapolated(const ProgramModel& model, const CallTypes& kinds,
                      const std::vector<TrainingRun>& runs, const ExtrapolationOutput& output);

}  // namespace tracefold
