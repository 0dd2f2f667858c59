// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/steps/operations.hpp"
#include "mpi/steps/quiescent_cuts.hpp"

#include <vector>

namespace tracefold {

/// The rounds of a step, if all steps of all ranks consist of the same ones: in each round a rank
/// sends one message to its rank XOR a number, then receives one from there. Returns the numbers;
/// empty if the messages are others. `cuts`: begins of the steps and the end of the last one. Cost:
/// linear in the operations.
std::vector<u32> exchange_rounds(const Operations& all, const std::vector<Cut>& cuts);

/// True if a rank never sends less in a step than in the one before, and at last twice as much as
/// at first or more, in four sizes at least. Cost: linear in its operations.
bool messages_grow(const Operations& all, const std::vector<Cut>& cuts, u32 rank);

}  // namespace tracefold
