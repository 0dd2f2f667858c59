// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/timing_model.hpp"

#include <algorithm>

namespace tracefold {

u64 mean_of(const Durations& durations, u32 location) {
    const auto& means = durations.means;
    const auto after =
        std::upper_bound(means.begin(), means.end(), location,
                         [](u32 value, const MeanRun& run) { return value < run.first; });
    if (after != means.begin()) {
        const MeanRun& run = *std::prev(after);
        if (location - run.first < run.count) return run.mean;
    }
    return durations.all.mean();
}

namespace {

void append(std::vector<MeanRun>& runs, const MeanRun& run) {
    const bool joins = !runs.empty() && runs.back().mean == run.mean &&
                       runs.back().first + runs.back().count == run.first;
    if (joins) {
        runs.back().count += run.count;
    } else {
        runs.push_back(run);
    }
}

}  // namespace

void unite(std::vector<MeanRun>& runs, const std::vector<MeanRun>& more) {
    if (more.empty()) return;
    if (runs.empty() || runs.back().first < more.front().first) {
        for (const MeanRun& run : more) append(runs, run);
        return;
    }
    std::vector<MeanRun> sorted(runs.size() + more.size());
    std::merge(runs.begin(), runs.end(), more.begin(), more.end(), sorted.begin(),
               [](const MeanRun& a, const MeanRun& b) { return a.first < b.first; });
    runs.clear();
    for (const MeanRun& run : sorted) append(runs, run);
}

}  // namespace tracefold
