// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/columns/function_draft.hpp"
#include "fold/columns/function_tables.hpp"

#include <bitset>
#include <cstddef>
#include <optional>
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

inline constexpr std::size_t kMostMerged = 128;  ///< sequences

/// An item of a sequence that has several others in it, and in which of them it is.
struct MergedItem {
    u64 item = 0;
    std::bitset<kMostMerged> present;  ///< by sequence
};

/// A sequence that gives each of these when items are left out: the longest one, into which one
/// after the other is put along a longest common subsequence. Nothing if that would take long, or
/// if it would have more than `most` items. Precondition: there are no more than kMostMerged. Cost:
/// the product of their lengths, without what they begin and end with alike, for 64 pairs of items
/// at a time.
std::optional<std::vector<MergedItem>> merge_sequences(std::span<const std::vector<u64>> sequences,
                                                       std::size_t most);

}  // namespace tracefold
