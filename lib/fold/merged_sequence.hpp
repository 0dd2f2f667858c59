// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

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
