// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_index.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Walks a location's script beside its calls and knows in which iteration of one loop they are.
/// Memory: the depth of the script and its counts. Throws Error(corrupt).
class IterationCounter {
  public:
    /// `loop`: a node of the location's script of events; kNone: none, so that no call is in it.
    /// The index must outlive this object.
    IterationCounter(StructureIndex& index, u32 location, u32 loop);

    /// Goes to the next call. Precondition: there is one.
    void next();

    /// The iteration that the call is in, counted from 0 over the whole run; nothing outside of the
    /// loop.
    [[nodiscard]] std::optional<u64> iteration() const {
        return inside_ == 0 ? std::nullopt : std::optional(started_ - 1);
    }

  private:
    struct Frame {
        u32 node;  ///< kNone: the root
        const std::vector<u32>* body;
        std::size_t next;
        u64 left;  ///< iterations, the present one included
    };

    void enter(u32 node, u64 iterations);

    const Pattern& pattern_;
    u32 loop_;
    std::vector<ColumnCursor> counts_;  ///< by node
    std::vector<Frame> frames_;
    u64 repetitions_ = 0;  ///< of the present leaf, still to come
    u64 started_ = 0;      ///< iterations of the loop
    u64 inside_ = 0;       ///< 1 within the loop
};

}  // namespace tracefold
