// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tracefold {

namespace {

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

Spread wall_of_runs(const ReplayResult& result) { return spread(result.runs, &RunTimes::wall); }

Spread communication_of_runs(const ReplayResult& result) {
    return spread(result.runs, &RunTimes::communication);
}

Spread computation_of_runs(const ReplayResult& result) {
    return spread(result.runs, &RunTimes::computation);
}

std::string fingerprint_text(const ProofResult& proof) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) {
        text += kDigits[(proof.fingerprint >> static_cast<unsigned>(shift)) & 0xFU];
    }
    return text;
}

}  // namespace tracefold
