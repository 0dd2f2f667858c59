// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

#include <vector>

namespace tracefold::inline fold {

/// The letters of a pattern as a column: a progression if they are one, else a list. A column that
/// is an alphabet is never folded itself. Precondition: at least one letter.
u32 intern_alphabet(StructurePool& pool, std::vector<u64> letters);

}  // namespace tracefold::inline fold
