// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/path_stack.hpp"
#include "replay/call_recipes.hpp"
#include "trace/call_reader.hpp"

namespace tracefold {

/// The call paths of the MPI calls of a location, one after the other, as MpiCallReader passes the
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
    [[nodiscard]] u32 here() const { return stack_.here(); }

  private:
    bool next_symbol();
    void enter(CallTree::Kind kind, u64 ref, bool is_mpi = false);

    CallReader stream_;
    CallRecipes recipes_;
    u32 number_;
    CallTree& tree_;
    std::size_t record_ = 0;
    PathStack stack_;
};

}  // namespace tracefold
