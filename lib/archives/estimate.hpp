// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "model/archive_info.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct EstimateOptions {
    std::string archive;          ///< anchor file, or the folder that holds it
    u32 time_error_ppm = 10'000;  ///< of quantized times
    int level = 19;               ///< of zstd
    bool drop_unknown = false;
    u32 sample = 16;  ///< locations to fold, evenly spread; at least 1
    std::string spill_directory = ".";
    ProgressSink expected_records;
    ProgressSink progress;
};

/// How large a file of each timing level would become.
struct SizeEstimate {
    u32 ranks = 0;
    u32 locations = 0;
    u32 sampled_locations = 0;
    u64 events = 0;  ///< as far as the definitions know
    u64 sampled_events = 0;
    u64 archive_bytes = 0;
    struct Size {
        TimingLevel timing{};
        u64 bytes = 0;
    };
    std::vector<Size> sizes;  ///< from none to exact
};

/// Folds the global definitions and some locations, and writes nothing. What grows with the events
/// (times) is scaled by them; what locations share (structure) by how much the second half of the
/// sample added to the first. If all locations are in the sample, the sizes are those of compress()
/// within a few bytes per location. Cost: the sample three times. Throws Error like compress().
SizeEstimate estimate_sizes(const EstimateOptions& options);

}  // namespace tracefold
