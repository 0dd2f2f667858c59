// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

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
