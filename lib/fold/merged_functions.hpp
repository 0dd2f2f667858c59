// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/function_draft.hpp"
#include "fold/function_tables.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// What all participants have as one argument of a symbol.
struct MergedArgument {
    NumberKind kind = NumberKind::plain;
    std::vector<std::vector<u64>> numbers;  ///< by participant
};

/// One sequence for participants whose numbers differ in how many there are: neighbours that some
/// do not have, levels of a multigrid in which some take part. Several arguments have numbers of
/// the same participants at the same places of their sequences, so that what tells these is the
/// same. Peers are displacements on the grid on which the fewest groups of participants have
/// different ones. By argument; none if there are many groups, if they share little, or if looking
/// for it would take long. Cost: the different numbers of all participants, for each grid, and
/// merging the sequences of all groups. Precondition: all arguments of a participant have equally
/// many numbers.
std::vector<FunctionDraft> find_merged(std::span<const MergedArgument> arguments);

}  // namespace tracefold
