// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/columns/function_draft.hpp"
#include "fold/columns/merged_functions.hpp"

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

/// A neighbour that a participant comes to, and the number that it has.
struct NeighbourVisit {
    u64 neighbour = 0;
    u64 number = 0;
};

/// What one participant visits one after the other, no neighbour twice.
using Round = std::vector<NeighbourVisit>;

/// Neighbours that come one after the other in no order that is common to all participants: in
/// that of their numbers, or in none.
struct RoundStretch {
    std::vector<u64> neighbours;
    bool is_rising = true;
};

/// The order in which all participants go round their neighbours, each leaving out those it does
/// not have: stretches that are as short as can be. Precondition: neighbours are below
/// `neighbours`. Cost: the squares of the rounds' sizes, and the third power of `neighbours`.
std::vector<RoundStretch> find_round_order(std::span<const Round> rounds, std::size_t neighbours);

}  // namespace tracefold
