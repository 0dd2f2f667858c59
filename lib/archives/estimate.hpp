// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "model/archive_info.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct EstimateOptions {
    std::string archive;          ///< anchor file, or its folder
    u32 time_error_ppm = 10'000;  ///< of quantized times
    int level = 19;               ///< of zstd
    bool drop_unknown = false;
    u32 sample = 16;  ///< locations to fold, evenly spread; at least 1
    std::string spill_directory = ".";
    ProgressSink expected_records;
    ProgressSink progress;
};

/// Estimated file sizes by timing level.
struct SizeEstimate {
    u32 ranks = 0;
    u32 locations = 0;
    u32 sampled_locations = 0;
    u64 events = 0;  ///< by the definitions
    u64 sampled_events = 0;
    u64 archive_bytes = 0;
    struct Size {
        TimingLevel timing{};
        u64 bytes = 0;
    };
    std::vector<Size> sizes;  ///< from none to exact
};

/// Folds the global definitions and a sample of locations, without output. Times are scaled with
/// the number of events; shared data (structure) by the growth between the two halves of the
/// sample. If all locations are in the sample, the sizes are those of compress() within a few bytes
/// per location. Cost: the sample three times. Throws Error like compress().
SizeEstimate estimate_sizes(const EstimateOptions& options);

}  // namespace tracefold
