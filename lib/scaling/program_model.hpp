// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/grid_rule.hpp"
#include "scaling/script_model.hpp"
#include "scaling/training_run.hpp"

#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tracefold {

/// How all ranks of a run that nobody has made behave, as far as the runs that were made tell.
struct ProgramModel {
    struct Thread {
        ScriptModel events;
        ScriptModel definitions;
    };

    GridRule rule;
    bool has_times = false;  ///< of events
    GridClasses classes;
    RankGrid grid;                                ///< of the run that is asked for
    std::vector<ScriptModel> global_definitions;  ///< one
    /// By class of ranks: the threads of each.
    std::unordered_map<u64, std::vector<Thread>> of_class;

    /// Receives from any source whose order in the runs was not that of the model.
    [[nodiscard]] u64 reordered() const;
    /// All that is approximated; the same once.
    [[nodiscard]] std::vector<Approximation> approximations() const;
};

struct ProgramRequest {
    u32 ranks = 0;
    std::vector<u32> grid;  ///< of the run that is asked for, slowest first; empty: by the rule
    /// If not everything is exact: numbers of bytes without a formula are approximated.
    bool may_approximate = false;
};

/// Finds the arrangement and the classes of ranks under which everything that the runs do is a
/// formula. `runs` by rising number of ranks. If there is none, tells what cannot be predicted.
/// Cost: for each arrangement tried, up to the first failure, the calls of all runs.
std::variant<ProgramModel, Refusal> model_program(const std::vector<TrainingRun>& runs,
                                                  const CallTypes& kinds,
                                                  const ProgramRequest& request);

}  // namespace tracefold
