// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/profiles.hpp"

#include "common/units.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tracefold {

RunProfiles::RunProfiles(const RunArguments& arguments, bool by_ranks, Console& console)
    : inputs(open_runs(arguments, console)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        runs.push_back(profile_run(inputs[i]->file(), arguments.paths[i]));
    }
    if (by_ranks) std::ranges::stable_sort(runs, {}, &RunProfile::ranks);
}

std::string metric_text(ProfileMetric metric, double value) {
    if (metric == ProfileMetric::time) return format_time(value);
    if (metric != ProfileMetric::visits) return format_size(static_cast<u64>(std::llround(value)));
    const bool whole = value == std::floor(value) || value >= 1000;
    return whole ? format_count(static_cast<u64>(std::llround(value)))
                 : fmt::format("{:.3g}", value);
}

}  // namespace tracefold
