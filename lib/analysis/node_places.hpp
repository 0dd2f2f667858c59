// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <compare>
#include <vector>

namespace tracefold {

/// A place of a pattern: an item of a body.
struct PatternPlace {
    u32 body = kNone;  ///< loop; kNone: the root
    u32 item = 0;      ///< of the body

    auto operator<=>(const PatternPlace&) const = default;
};

/// For each node of a pattern, by rising place, where it stands. Cost: the size of the pattern.
std::vector<std::vector<PatternPlace>> places_of_nodes(const Pattern& pattern);

/// Which visits and executions of a node happen at which of its places. A place in a body that
/// stands at several places itself is one.
class NodePlaces {
  public:
    /// `places`: of all nodes of the pattern. Cost: the places of the node and of the loops around
    /// them.
    NodePlaces(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
               u32 node);

    /// Loops around any place, by rising number: their counts say in which order places come by.
    [[nodiscard]] const std::vector<u32>& loops() const { return loops_; }

    /// The place, as an index into the node's, of each visit, from the counts of loops(). This
    /// object must outlive the cursor.
    [[nodiscard]] ColumnCursor visits(std::vector<ColumnCursor> loop_counts) const;
    /// The same of each execution, with the node's own counts.
    [[nodiscard]] ColumnCursor executions(std::vector<ColumnCursor> loop_counts,
                                          ColumnCursor own_counts) const;

  private:
    void find_loops(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
                    u32 node);
    [[nodiscard]] u32 item_of_loop(u32 loop) const;
    std::vector<u32>& body_of(u32 loop);
    [[nodiscard]] NodeCounts counts(std::vector<ColumnCursor> loop_counts) const;

    std::vector<u32> loops_;
    /// A leaf for each place, in the loops around; nothing else.
    Pattern pattern_;
};

}  // namespace tracefold
