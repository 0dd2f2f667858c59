// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace tracefold {

/// Pairs of places of two sequences that stand for the same, in order; kNone where one has nothing.
using Alignment = std::vector<std::pair<u32, u32>>;

/// The alignment with the most pairs for which `same(place in a, place in b)` is true. Cost: the
/// product of what is left of both when their common beginning and end are taken off; above some
/// millions the rest is paired place by place as long as it is the same.
Alignment align(u32 size_a, u32 size_b, const std::function<bool(u32, u32)>& same);

}  // namespace tracefold
