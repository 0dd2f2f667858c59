// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/step_imbalance.hpp"

#include "base/parallel.hpp"
#include "mpi/step_computation.hpp"

#include <numeric>

namespace tracefold {

double StepImbalance::mean() const {
    const double sum =
        std::accumulate(steps.begin(), steps.end(), 0.0,
                        [](double before, const Step& step) { return before + step.imbalance(); });
    return steps.empty() ? 0 : sum / static_cast<double>(steps.size());
}

StepImbalance step_imbalance(TraceFile& file, const ProgramSteps& steps, u32 threads) {
    StepImbalance found;
    std::vector<u32> locations;
    for (u32 location = 0; location < steps.locations.size(); ++location) {
        const auto rank = file.definitions().world_rank(file.definitions().locations()[location]);
        if (steps.of(location) == nullptr || !rank) continue;
        locations.push_back(location);
        found.ranks.push_back({.rank = *rank});
    }
    std::vector<std::vector<u64>> ticks(locations.size());
    run_each(threads, locations.size(), [&](std::size_t i) {
        ticks[i] = computation_by_step(file, locations[i], *steps.of(locations[i]));
        ticks[i].resize(steps.count);
    });
    const auto ranks = static_cast<double>(locations.size());
    for (u64 number = 0; number < steps.count; ++number) {
        StepImbalance::Step step;
        std::size_t slowest = 0;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            step.mean += static_cast<double>(ticks[i][number]) / ranks;
            if (ticks[i][number] > ticks[slowest][number]) slowest = i;
        }
        for (std::size_t i = 0; i < ticks.size() && step.mean > 0; ++i) {
            const auto own = static_cast<double>(ticks[i][number]);
            const auto count = static_cast<double>(steps.count);
            found.ranks[i].mean += own / count;
            found.ranks[i].over_mean += (own / step.mean - 1) / count;
        }
        if (step.mean > 0) ++found.ranks[slowest].slowest;
        if (!ticks.empty()) {
            step.most = ticks[slowest][number];
            step.rank = found.ranks[slowest].rank;
        }
        found.steps.push_back(step);
    }
    return found;
}

}  // namespace tracefold
