// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/transfers.hpp"
#include "profile/folded_paths.hpp"
#include "profile/profile_metric.hpp"

#include <map>
#include <optional>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
