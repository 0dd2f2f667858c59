// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

namespace tracefold {

/// Replaces folded columns that hardly repeat anything by lists, where these take less in a file: a
/// model predicts a number from those before it better than an item of a pattern, which stands for
/// something else in each pattern. Patterns that several columns or scripts share stay, and so do
/// columns of families. Precondition: all columns are used. Cost: linear in the folded size.
void list_irregular_columns(Structure& structure);

}  // namespace tracefold
