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

/// Counts visits and bytes of call paths from the folded form, without unwinding it, for the
/// locations where that tells all: every symbol that counts for something is executed in one call
/// path only, requests are completed in one, and there are neither metrics nor copies of an
/// accelerator. Same values as LocationProfiler's, without times.
class FoldedProfiler {
  public:
    /// The file must outlive the profiler. Cost: that of ExecutionCounts.
    explicit FoldedProfiler(TraceFile& file);

    /// By location: the values of those among `locations` that could be counted, whose nodes are
    /// added to the tree. `numbers` are those of all locations in the profile. Cost: that of
    /// visit_transfers(), and the symbols of each location. Throws Error(corrupt).
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
    std::optional<u64> program_of(u32 location, u32 script);
    [[nodiscard]] FoldedPaths::Place place_of(const Transfer& transfer, const FoldedPaths& paths);

    TraceFile& file_;
    ExecutionCounts counts_;
    /// By script, program and whether it is that of a stream.
    std::map<std::tuple<u32, u64, bool>, FoldedPaths> paths_;
};

/// How many processes a profile needs if none may take more than so much memory, worked out from
/// the folded form alone: the call tree, the locations, and which metrics call paths can have. The
/// model (docs/internals/parallel.md) is an upper bound: every call path on every location.
struct ProcessAdvice {
    u64 call_paths = 0;
    bool complete = true;  ///< false: there are more, which only unwinding would tell
    u64 locations = 0;
    u64 rows = 0;          ///< of values, one number per location
    u64 fixed_bytes = 0;   ///< that each process needs, however many they are
    u64 shared_bytes = 0;  ///< that they share
    u64 processes = 0;     ///< 0: no number is enough

    [[nodiscard]] u64 bytes_per_process(u64 of_processes) const {
        return fixed_bytes + (shared_bytes + of_processes - 1) / of_processes;
    }
};

/// For the selected locations; `limit`: bytes per process. More processes than call paths are of no
/// use and not proposed. Cost: the scripts. Throws Error(corrupt).
ProcessAdvice advise_processes(TraceFile& file, const std::vector<bool>& selected, bool with_times,
                               u64 limit);

}  // namespace tracefold
