// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/columns/function_draft.hpp"
#include "fold/columns/merged_functions.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Finds a common sequence for participants that visit the same neighbours on a grid in repeated
/// rounds, but each in its own order: partly sorted by neighbour, partly random, as with receives
/// from any source. The first argument is the neighbour; the other arguments are equal for all
/// participants, or a product of functions of their coordinates. Returns one draft per argument,
/// all but the first following it; none if there is no such sequence. Precondition: all arguments
/// of a participant have the same length. Cost: the different neighbours of all participants, for
/// each grid; the numbers of all, and for each round the square of the neighbours.
std::vector<FunctionDraft> find_ordered(std::span<const MergedArgument> arguments);

/// A visit of a neighbour, and its number.
struct NeighbourVisit {
    u64 neighbour = 0;
    u64 number = 0;
};

/// The visits of one participant in one round; each neighbour at most once.
using Round = std::vector<NeighbourVisit>;

/// Consecutive neighbours without a common order: sorted by number, or random.
struct RoundStretch {
    std::vector<u64> neighbours;
    bool is_rising = true;
};

/// Returns the common order of a round, from which participants omit missing neighbours, in the
/// shortest possible stretches. Precondition: neighbours are below `neighbours`. Cost: the squares
/// of the rounds' sizes, and the third power of `neighbours`.
std::vector<RoundStretch> find_round_order(std::span<const Round> rounds, std::size_t neighbours);

}  // namespace tracefold
