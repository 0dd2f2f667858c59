// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/call_stream.hpp"
#include "profile/call_tree.hpp"
#include "replay/call_recipes.hpp"

#include <vector>

namespace tracefold {

/// The call paths of the MPI calls of a location, one after the other, as RankProgram passes the
/// calls. A second walk, without times. Throws Error(corrupt).
class PathCursor {
  public:
    /// `number` of the location in the order of calls (CallTree::call_order()). The file and the
    /// tree must outlive the cursor.
    PathCursor(TraceFile& file, u32 location, u32 number, CallTree& tree);
    PathCursor(const PathCursor&) = delete;
    PathCursor& operator=(const PathCursor&) = delete;

    /// The node of the next MPI call, which is added to the tree; kNone after the last.
    u32 next();

    /// The node that all regions entered so far lead to; kNone outside of all.
    [[nodiscard]] u32 here() const { return stack_.empty() ? kNone : stack_.back(); }

  private:
    bool next_symbol();
    void enter(CallTree::Kind kind, u64 ref);
    void leave(u32 region);

    CallStream stream_;
    CallRecipes recipes_;
    u32 number_;
    CallTree& tree_;
    std::size_t record_ = 0;
    std::vector<u32> stack_;
    std::size_t mpi_depth_ = 0;  ///< of the stack with the MPI call that is open; 0: none
};

}  // namespace tracefold
