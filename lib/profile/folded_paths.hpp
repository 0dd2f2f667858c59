// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/path_stack.hpp"
#include "trace/trace_file.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Where in the call tree the symbols of a script are executed, found out by walking its loops
/// once, not as often as they iterate: regions are entered and left within an iteration. Cost: the
/// size of the script, for each different path to a loop. Memory: linear in the tree and the
/// script.
class FoldedPaths {
  public:
    /// A place in the tree; `several`: more than one.
    struct Place {
        u32 node = kNone;
        bool several = false;
    };

    /// `program`: the string that names the program, where the script begins it; `on_stream`: the
    /// script is that of a stream of an accelerator. Throws Error(corrupt).
    FoldedPaths(TraceFile& file, u32 script, u64 program, bool on_stream);

    /// False if the script enters and leaves regions in a way that its loops do not tell, or has
    /// records that change what later ones count for.
    [[nodiscard]] bool is_complete() const { return complete_; }
    /// The paths, in the order of their first calls.
    [[nodiscard]] const CallTree& tree() const { return tree_; }
    /// For an element that enters a region the region, else the region that it is in.
    [[nodiscard]] Place place(u32 leaf, u32 element) const { return places_[leaf][element]; }
    /// Where requests are completed.
    [[nodiscard]] Place completions() const { return completions_; }

    // As walk_places() walks them.
    [[nodiscard]] u32 here() const { return at_.here(); }
    bool leaf(u32 leaf);

  private:
    bool take_element(const Element& element, u32& node);
    [[nodiscard]] std::optional<u64> region_of(const Element& element) const;
    static void note(Place& place, u32 node);

    TraceFile& file_;
    const Script& script_;
    const std::vector<Assignment>& counts_;
    const Pattern& pattern_;
    u64 program_;
    CallTree tree_;
    PathStack at_;
    std::vector<std::vector<Place>> places_;
    std::vector<bool> known_;  ///< leaves that have places
    Place completions_;
    bool complete_ = true;
};

}  // namespace tracefold
