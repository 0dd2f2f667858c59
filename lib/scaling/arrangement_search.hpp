// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/program_model.hpp"

#include <optional>
#include <variant>

namespace tracefold::inline scaling {

/// What is looked at, and how.
struct Pass {
    bool approximately = false;
    bool like = false;  ///< at runs of the same proportions only
};

/// Tries all arrangements on one view of what the runs do. Those that explain the runs must agree
/// on the one that is asked for, or it is refused; approximately, the first one is taken. `like`:
/// on the runs of the same proportions only. Nothing, and `best`, if none explains them.
std::optional<std::variant<ProgramModel, Refusal>> search_arrangements(
    const std::vector<FoldedRun>& runs, const CallTypes& kinds, const ProgramRequest& request,
    Pass pass, FitMemo& memo, std::optional<Refusal>& best);

}  // namespace tracefold::inline scaling
