// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"

#include <vector>

namespace tracefold::inline fold {

/// Copies columns with all that they refer to from one numbering into a pool, each once.
class ColumnCopier {
  public:
    ColumnCopier(const FoldedSource& source, StructurePool& target);

    /// The id in the target. Cost: linear in what was not copied before.
    u32 copy(u32 column);

  private:
    FoldedSource source_;
    StructurePool& target_;
    std::vector<u32> copied_;
};

}  // namespace tracefold::inline fold
