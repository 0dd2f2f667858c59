// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold::inline fold {

/// A symbol `count` times in a row: what the folding engine folds.
struct SymbolRun {
    u32 symbol;
    u64 count;
};

}  // namespace tracefold::inline fold
