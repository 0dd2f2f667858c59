// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

#include <span>
#include <vector>

namespace tracefold::inline fold {

/// The columns over locations by which a structure tells them apart. Other values of the locations
/// often change where these do: then a column like one of them, with letters of its own, is all
/// that is needed.
class LikeColumns {
  public:
    /// Of a structure whose columns are in the pool under the same numbers.
    explicit LikeColumns(const Structure& structure);

    /// The column that needs least for these values, `own` if none is like another one. Cost:
    /// linear in the values for each column that they follow to the end.
    u32 shortest(StructurePool& pool, std::span<const u64> values, u32 own) const;

  private:
    std::vector<u32> columns_;  ///< folded ones
};

}  // namespace tracefold::inline fold
