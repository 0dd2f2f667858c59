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

/// The numbers of one argument of a symbol for all participants.
struct MergedArgument {
    NumberKind kind = NumberKind::plain;
    std::vector<std::vector<u64>> numbers;  ///< by participant
};

/// Finds a common sequence for participants with different numbers of values: neighbours missing at
/// a border, levels of a multigrid without some participants. The arguments share which
/// participants have which item of the sequence. Peers become displacements on the grid with the
/// fewest distinct groups of participants. Returns one draft per argument; none if there are many
/// groups, if they share little, or if the search would be expensive. Cost: the different numbers
/// of all participants, for each grid, and merging the sequences of all groups. Precondition: all
/// arguments of a participant have the same length.
std::vector<FunctionDraft> find_merged(std::span<const MergedArgument> arguments);

inline constexpr std::size_t kMostMerged = 128;  ///< number of sequences

/// An item of a merged sequence, and the sequences that contain it.
struct MergedItem {
    u64 item = 0;
    std::bitset<kMostMerged> present;  ///< by sequence
};

/// Returns a common supersequence of these sequences: merges them into the longest one, one after
/// the other, along a longest common subsequence. Nothing if that is expensive, or has more than
/// `most` items. Precondition: at most kMostMerged sequences. Cost: the product of their lengths,
/// without common prefixes and suffixes, for 64 pairs of items at a time.
std::optional<std::vector<MergedItem>> merge_sequences(std::span<const std::vector<u64>> sequences,
                                                       std::size_t most);

}  // namespace tracefold
