// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold::inline fold {

/// An item of a sequence that has several others in it, and in which of them it is.
struct MergedItem {
    u64 item = 0;
    std::vector<bool> present;  ///< by sequence
};

/// A sequence that gives each of these when items are left out: the longest one, into which one
/// after the other is put along a longest common subsequence. Nothing if that would take long.
/// Cost: the product of their lengths, without what they begin and end with alike.
std::optional<std::vector<MergedItem>> merge_sequences(std::span<const std::vector<u64>> sequences);

}  // namespace tracefold::inline fold
