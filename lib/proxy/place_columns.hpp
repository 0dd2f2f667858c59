// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "model/peer_encoding.hpp"
#include "proxy/proxy_model.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// Folds what one rank does at one place: how often, and each argument. Peers in all encodings.
class PlaceColumns {
  public:
    explicit PlaceColumns(std::string_view arguments = {});

    void push_count(u64 count) { columns_.front().push(count); }
    void push_arguments(const ProxyCall& call);
    /// The columns in the pool: of the count, then of the arguments; kNone for one without numbers.
    /// Call once.
    std::vector<u32> finish(StructurePool& pool);

  private:
    std::string_view arguments_;
    std::vector<ColumnBuilder> columns_;
};

/// What all ranks of a script do at one place.
class PlaceVariants {
  public:
    /// `position` of the rank among those of the script, rising.
    void add(u32 position, const std::vector<u32>& columns);
    /// Fills in count and arguments.
    void finish(std::string_view arguments, StructurePool& pool, ProxyPlace& place) const;

  private:
    /// Which column each rank uses, kNone if it uses none; as many numbers as there are ranks.
    using Use = std::vector<u32>;

    static Use completed(Use use, StructurePool& pool);
    static Assignment assign(const Use& sparse, StructurePool& pool);
    [[nodiscard]] Assignment assign_peers(std::size_t first, StructurePool& pool) const;

    std::vector<Use> uses_;  ///< by column of PlaceColumns
};

}  // namespace tracefold
