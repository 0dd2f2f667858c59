// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "replay/collective_arguments.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What every rank sent and received in its collectives with a count per partner, folded, since the
/// counts of one rank follow from the sizes of the others. Memory: the folded sequences.
class VectorSizes {
  public:
    /// The sizes of a rank's next collective on a communicator.
    void record(u32 rank, u64 comm, const Contribution& sizes);
    /// After the last.
    void finish();

    /// Walks through the collectives of all communicators from the beginning.
    class Walk {
      public:
        explicit Walk(const VectorSizes& sizes) : sizes_(sizes) {}

        /// The sizes of all members in the next collective of a communicator, valid until the one
        /// after. Throws Error(corrupt) if a member took part in fewer.
        std::span<const Contribution> next(u64 comm, std::span<const u64> members);
        /// Passes over one that the caller need not know. Cost: a constant, unless next() follows.
        void skip(u64 comm) { ++skipped_[comm]; }

      private:
        struct Group {
            std::vector<ColumnCursor> cursors;  ///< by member: sent, received
            u64 left = 0;
            std::vector<Contribution> sizes;
        };
        Group& group(u64 comm, std::span<const u64> members);

        const VectorSizes& sizes_;
        std::unordered_map<u64, Group> groups_;
        std::unordered_map<u64, u64> skipped_;
    };

  private:
    struct Sequence {
        ColumnBuilder sent;
        ColumnBuilder received;
        u64 count = 0;
        u32 columns[2] = {kNone, kNone};
    };

    std::map<std::pair<u32, u64>, Sequence> sequences_;  ///< by rank and communicator
    StructurePool pool_;
};

}  // namespace tracefold
