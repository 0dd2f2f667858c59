// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/function_draft.hpp"
#include "fold/merged_functions.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// One sequence for participants that go round the same neighbours on a grid, again and again, but
/// each in an order of its own: partly that of the neighbours' numbers, partly by chance, as
/// messages come from any source. The first argument is the neighbours; what the others have with a
/// neighbour is the same for all participants, or a product of functions of their coordinates. By
/// argument, those but the first following it; none if there is no such sequence. Precondition: all
/// arguments of a participant have equally many numbers. Cost: the different neighbours of all
/// participants, for each grid; the numbers of all, and for each round the square of the
/// neighbours.
std::vector<FunctionDraft> find_ordered(std::span<const MergedArgument> arguments);

}  // namespace tracefold
