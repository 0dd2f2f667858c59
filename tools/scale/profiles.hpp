// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scale/runs.hpp"
#include "scaling/run_profile.hpp"

#include <vector>

namespace tracefold {

/// The call-path profiles of runs. Throws Error: usage if there is one run only; io, corrupt.
struct RunProfiles {
    std::vector<std::unique_ptr<FoldedInput>> inputs;
    std::vector<RunProfile> runs;  ///< in the order of the command line, or by rising ranks

    RunProfiles(const RunArguments& arguments, bool by_ranks, Console& console);
};

/// A number of a metric with its unit: "1.2 ms", "3.4 kB", "12.5".
std::string metric_text(ProfileMetric metric, double value);

}  // namespace tracefold
