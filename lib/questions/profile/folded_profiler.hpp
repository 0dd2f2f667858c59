// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "questions/matrix/transfers.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/profile/path_walk.hpp"

#include <map>
#include <optional>
#include <vector>

namespace tracefold {

/// Maps the symbols of a script to call tree nodes. Walks each loop once per distinct path: regions
/// are entered and left within an iteration. Cost: script size x paths to its loops. Memory: linear
/// in the tree and the script.
class FoldedPaths {
  public:
    /// A node of the tree; `several`: more than one.
    struct Place {
        u32 node = kNone;
        bool several = false;
    };

    /// `program`: string id of the program that the script begins; `on_stream`: the script runs on
    /// an accelerator stream. Throws Error(corrupt).
    FoldedPaths(TraceFile& file, u32 script, u64 program, bool on_stream);

    /// False if regions do not nest within loops, or records change how later ones count.
    [[nodiscard]] bool is_complete() const { return complete_; }
    /// The paths, in order of first call.
    [[nodiscard]] const CallTree& tree() const { return tree_; }
    /// Of an element that enters a region: the region; else the enclosing region.
    [[nodiscard]] Place place(u32 leaf, u32 element) const { return places_[leaf][element]; }
    /// Where requests complete.
    [[nodiscard]] Place completions() const { return completions_; }

    // Callbacks of walk_places().
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
    std::vector<bool> known_;  ///< leaves with places
    Place completions_;
    bool complete_ = true;
};

/// Counts visits and bytes of call paths from the folded form, for locations on which it suffices:
/// every counted symbol belongs to one call path, requests complete in one, and there are neither
/// metrics nor accelerator copies. Yields the values of LocationProfiler, without times.
class FoldedProfiler {
  public:
    /// The file must outlive this object. Cost: that of ExecutionCounts.
    explicit FoldedProfiler(TraceFile& file);

    /// Values of those `locations` that can be counted; adds their nodes to the tree. `numbers`: of
    /// all locations in the profile. Cost: visit_transfers() + symbols per location. Throws
    /// Error(corrupt).
    std::map<u32, std::vector<NodeValues>> run(const std::vector<u32>& locations,
                                               const std::vector<u32>& numbers, CallTree& tree);

  private:
    struct Location {
        const FoldedPaths* paths = nullptr;
        std::vector<MetricValues> values;  ///< by node of the paths
        bool counted = true;
    };

    Location count_visits(u32 location);
    [[nodiscard]] bool needs_unwinding(u32 location, u8 type) const;
    void add(const Transfer& transfer, Location& location);
    const FoldedPaths& paths_of(u32 location, u32 script);
    [[nodiscard]] FoldedPaths::Place place_of(const Transfer& transfer, const FoldedPaths& paths);

    TraceFile& file_;
    ExecutionCounts counts_;
    /// By script, program, and whether it runs on a stream.
    std::map<std::tuple<u32, u64, bool>, FoldedPaths> paths_;
};

/// Processes that a profile needs within a memory limit per process, computed from the folded form:
/// call tree, locations, possible metrics. The model (docs/internals/parallel.md) is an upper
/// bound: every call path on every location.
struct ProcessAdvice {
    u64 call_paths = 0;
    bool complete = true;  ///< false: unwinding may find more
    u64 locations = 0;
    u64 rows = 0;          ///< of values, one per location
    u64 fixed_bytes = 0;   ///< per process, independent of their number
    u64 shared_bytes = 0;  ///< distributed over processes
    u64 processes = 0;     ///< 0: the limit cannot be met

    [[nodiscard]] u64 bytes_per_process(u64 of_processes) const {
        return fixed_bytes + (shared_bytes + of_processes - 1) / of_processes;
    }
};

/// Advises for the selected locations; `limit`: bytes per process. Never proposes more processes
/// than call paths. Cost: the scripts. Throws Error(corrupt).
ProcessAdvice advise_processes(TraceFile& file, const std::vector<bool>& selected, bool with_times,
                               u64 limit);

}  // namespace tracefold
