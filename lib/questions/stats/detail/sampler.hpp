// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/log_histogram.hpp"
#include "questions/stats/detail/figures.hpp"
#include "questions/stats/row_tree.hpp"
#include "questions/structure/iterations.hpp"

#include <vector>

namespace tracefold {

/// Selects samples of a trace.
struct SampleRequest {
    RowRequest rows;
    /// By location: false excludes it; empty: all.
    std::vector<bool> selected;
    /// The loop whose iterations are samples: its number among the outermost loops of a script,
    /// from 1; 0: the steps of the program.
    u32 loop = 0;
    /// Whether samples over iterations are requested: even without times they require unwinding.
    bool iterations = true;
    /// Whether to count iterations, independent of sampling them.
    bool count_iterations = true;
    /// The steps, if already known; must outlive the sampler.
    FoundSteps* steps = nullptr;
};

/// The selected locations of process `rank` of `size`, ascending. Empty `selected`: all.
std::vector<u32> selected_block(const TraceFile& file, const std::vector<bool>& selected, int rank,
                                int size);

/// True if the file stores durations of functions that answer the request: timing level histogram
/// has them for functions only, over all locations.
bool knows_durations(const TraceFile& file, const SampleRequest& request);

/// Passes the samples of a file, location by location: from times and records if calls must be
/// unwound, else from the folded form. The file must outlive this object.
class Sampler {
  public:
    Sampler(TraceFile& file, const SampleRequest& request);

    /// selected_block() of the request.
    [[nodiscard]] std::vector<u32> locations(int rank, int size) const {
        return selected_block(file_, request_.selected, rank, size);
    }

    /// Passes the samples. Unwinds the locations unless is_folded(). Throws Error: corrupt,
    /// unsupported.
    void pass(const std::vector<u32>& locations, SampleSink& sink);

    /// Stored durations of calls of a file of timing level histogram, in ticks, by row; none for
    /// regions that contain other calls. Count, sum and extremes are exact, the rest has bucket
    /// resolution. Cost: the symbols. Precondition: knows_durations() of the request.
    [[nodiscard]] std::vector<LogHistogram> durations();

    /// Whether samples come from the folded form; then there are none over iterations.
    [[nodiscard]] bool is_folded() const { return folded_; }

    [[nodiscard]] RowTree& rows() { return rows_; }
    [[nodiscard]] Iterations& iterations() { return iterations_; }
    /// Calls so far whose clock ran backwards: they have no time.
    [[nodiscard]] u64 backwards() const { return backwards_; }
    /// Reads and writes so far without a recorded size.
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
