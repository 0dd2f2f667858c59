// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/run_comparison.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

RunComparison compare_runs(const std::vector<RunProfile>& runs) {
    for (const RunProfile& run : runs) {
        if (run.has_times) continue;
        throw Error(ErrorKind::usage, "{} has no times, so that there is nothing to compare",
                    run.name);
    }
    const AlignedPaths aligned = align_paths(runs);
    RunComparison result;
    result.seconds.assign(runs.size(), 0);
    for (std::size_t path = 0; path < aligned.names.size(); ++path) {
        ComparedPath compared{aligned.names[path], {}, 0};
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const PathTotals* totals = aligned.totals[run][path];
            const double sum = totals == nullptr ? 0 : (*totals)[index_of(ProfileMetric::time)];
            compared.seconds.push_back(sum / runs[run].ranks);
            result.seconds[run] += compared.seconds.back();
        }
        compared.change = compared.seconds.back() - compared.seconds.front();
        result.paths.push_back(std::move(compared));
    }
    result.change = result.seconds.back() - result.seconds.front();
    std::ranges::stable_sort(result.paths, [](const ComparedPath& a, const ComparedPath& b) {
        return std::abs(a.change) > std::abs(b.change);
    });
    return result;
}

}  // namespace tracefold
