// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/log_histogram.hpp"
#include "questions/stats/detail/figures.hpp"
#include "questions/stats/row_tree.hpp"
#include "questions/structure/main_loop.hpp"

#include <vector>

namespace tracefold {

/// Which samples of a trace are wanted.
struct SampleRequest {
    RowRequest rows;
    /// Locations to leave out are false; all are wanted if it is empty.
    std::vector<bool> selected;
    /// The loop whose iterations are samples: its number among the outermost loops of a script,
    /// from 1; 0: the steps of the program.
    u32 loop = 0;
    /// Iterations are wanted: without times in the file they are what calls must be unwound for.
    bool iterations = true;
    /// How many iterations there are is told, be they samples or not.
    bool count_iterations = true;
    /// What the steps are, if that is known to others; it must outlive the sampler.
    FoundSteps* steps = nullptr;
};

/// The locations of process `rank` of `size` that are wanted, rising; all are if `selected` is
/// empty.
std::vector<u32> selected_block(const TraceFile& file, const std::vector<bool>& selected, int rank,
                                int size);

/// True if the file keeps durations of functions that belong to the request: those of timing level
/// histogram are of all locations together, and of functions only.
bool knows_durations(const TraceFile& file, const SampleRequest& request);

/// Passes the samples of a file, location by location: from its times and records where calls have
/// to be looked at one by one, else from the folded form. The file must outlive it.
class Sampler {
  public:
    Sampler(TraceFile& file, const SampleRequest& request);

    /// selected_block() of the request.
    [[nodiscard]] std::vector<u32> locations(int rank, int size) const {
        return selected_block(file_, request_.selected, rank, size);
    }

    /// Throws Error: corrupt, unsupported. Cost: unwinds the locations, but with is_folded().
    void pass(const std::vector<u32>& locations, SampleSink& sink);

    /// The durations of calls that a file of timing level histogram keeps, in ticks, by row; none
    /// of regions that hold other calls. Count, sum and extremes are exact, the rest as good as the
    /// buckets. Cost: the symbols. Precondition: knows_durations() of the request.
    [[nodiscard]] std::vector<LogHistogram> durations();

    /// No call is unwound, so that there are no samples over iterations.
    [[nodiscard]] bool is_folded() const { return folded_; }

    [[nodiscard]] RowTree& rows() { return rows_; }
    [[nodiscard]] Iterations& iterations() { return iterations_; }
    /// Calls without a time, since it ran backwards, so far.
    [[nodiscard]] u64 backwards() const { return backwards_; }
    /// Reads and writes whose size is not recorded, so far.
    [[nodiscard]] u64 unknown_sizes() const { return unknown_sizes_; }

  private:
    TraceFile& file_;
    SampleRequest request_;
    ListingSource source_;
    RowTree rows_;
    RowChooser chooser_;
    FoundSteps own_steps_;
    Iterations iterations_;
    bool timed_;
    bool folded_;
    u64 backwards_ = 0;
    u64 unknown_sizes_ = 0;
};

}  // namespace tracefold
