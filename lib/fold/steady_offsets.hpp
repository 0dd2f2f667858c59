// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// Offsets of functions one after the other, from 0 to below `size`, each replaced by itself or the
/// same below 0, so that the steps between them change as rarely as they can: what goes on beyond
/// the border of a grid goes on steadily. Cost: linear.
void make_steady(std::vector<i64>& offsets, u32 size);

}  // namespace tracefold
