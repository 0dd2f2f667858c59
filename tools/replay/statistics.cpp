// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/statistics.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tracefold {

namespace {

double seconds(u64 nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

Spread spread(const std::vector<RunTimes>& runs, double RunTimes::*what) {
    Spread spread;
    if (runs.empty()) return spread;
    const auto count = static_cast<double>(runs.size());
    spread.minimum = runs.front().*what;
    for (const RunTimes& run : runs) {
        spread.minimum = std::min(spread.minimum, run.*what);
        spread.maximum = std::max(spread.maximum, run.*what);
        spread.mean += run.*what / count;
    }
    double squares = 0;
    for (const RunTimes& run : runs) squares += std::pow(run.*what - spread.mean, 2);
    spread.deviation = std::sqrt(squares / count);
    return spread;
}

}  // namespace

TimeSpreads spreads_of_runs(const ReplayResult& result) {
    return {spread(result.runs, &RunTimes::wall), spread(result.runs, &RunTimes::communication),
            spread(result.runs, &RunTimes::computation)};
}

std::vector<CallsOfSize> calls_by_size(const ReplayResult& result) {
    const u64 repetitions = result.runs.size();
    std::vector<CallsOfSize> all;
    for (const CallTotals& call : result.totals) {
        const SizedCalls::Row* row = result.measurements.calls.find(call.function);
        if (row == nullptr) continue;
        for (std::size_t i = 0; i < row->size(); ++i) {
            const SizedCalls::Times& times = (*row)[i];
            if (times.calls == 0) continue;
            all.push_back({std::string(name_of(call.function)), MeasuredSizes::lower_bound(i),
                           times.calls / repetitions, times.bytes / repetitions,
                           seconds(times.nanoseconds) / static_cast<double>(repetitions),
                           seconds(times.shortest)});
        }
    }
    return all;
}

std::string fingerprint_text(u64 fingerprint) { return fmt::format("{:016x}", fingerprint); }

}  // namespace tracefold
