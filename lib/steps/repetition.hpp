// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// A stretch of a sequence in which every number equals the one `period` places before it.
struct Repetition {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t period = 0;

    [[nodiscard]] std::size_t count() const { return (end - begin) / period; }
};

/// If no more than a fifth is left out.
inline bool is_nearly_all(u64 part, u64 all) { return (all - part) * 5 <= all; }

/// The repetition with the shortest period that has at least half of the weight of the sequence,
/// and three periods, or two with nearly all of it; a longer one instead if it has nearly all, and
/// the shortest less than three quarters. A period weighs at least `lightest`. Nothing if there is
/// none. Cost: linear, by the Z-function (Main and Lorentz, 1984; Gusfield, 1997) around the middle
/// of the weight, which every such stretch holds. Precondition: one weight for each number.
std::optional<Repetition> find_repetition(const std::vector<u64>& numbers,
                                          const std::vector<u64>& weights, u64 lightest = 0);

/// The maximal stretches with this period of at least `least` periods, by rising begin, none of
/// which overlap. Cost: linear.
std::vector<Repetition> repetitions_of(const std::vector<u64>& numbers, std::size_t period,
                                       std::size_t least = 3);

}  // namespace tracefold
