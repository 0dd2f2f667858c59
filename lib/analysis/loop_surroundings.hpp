// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/script_outline.hpp"

namespace tracefold {

/// Iterations that stand directly before and behind a loop, or begun before it and ended behind it:
/// at most one on either side. What differs is overlooked except in the calls that are counted.
/// `counted`: by leaf, 1 or 0. `borders`: by leaf, behind which nothing belongs to the loop.
u64 iterations_beside(const ScriptOutline& outline, const ScriptOutline::Part& part,
                      const std::vector<u64>& counted, const std::vector<bool>& borders);

}  // namespace tracefold
