// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/function_draft.hpp"
#include "fold/function_tables.hpp"
#include "fold/number_table.hpp"

#include <optional>
#include <span>

namespace tracefold {

/// One sequence for participants whose numbers differ in how many there are: neighbours that some
/// do not have, levels of a multigrid in which some take part. Peers are displacements on the grid
/// on which the fewest groups of participants have different ones. Nothing if there are many
/// groups, or if looking for it would take long. Cost: the different numbers of all participants,
/// for each grid, and merging the sequences of all groups. Precondition: columns are cut to what
/// they repeat.
std::optional<FunctionDraft> find_merged(const NumberTable& numbers,
                                         std::span<const u32> column_of_participant,
                                         NumberKind kind);

}  // namespace tracefold
