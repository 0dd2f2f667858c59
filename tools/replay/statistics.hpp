// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "base/types.hpp"
#include "common/html_page.hpp"
#include "common/text.hpp"
#include "replay/options.hpp"
#include "replay/rank_detail.hpp"
#include "replay/replay_result.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Calls of one function with about the same size, over all ranks, per repetition.
struct CallsOfSize {
    /// Seconds in one repetition.
    struct Run {
        double seconds = 0;   ///< of all calls
        double shortest = 0;  ///< of one call
        double median = 0;    ///< of one call
    };

    std::string function;
    u64 from_bytes = 0;  ///< 0, or a power of two: lower bound of the size; upper bound: twice that
    u64 calls = 0;
    u64 bytes = 0;        ///< over all calls, as OTF2 counts them
    double seconds = 0;   ///< over all calls, mean of the repetitions
    double shortest = 0;  ///< seconds of one call
    double median = 0;    ///< seconds of one call, median of the repetitions
    double scale = 1;     ///< of the bytes, in the replay
    std::vector<Run> runs;

    /// Of every repetition.
    [[nodiscard]] std::vector<double> medians() const {
        std::vector<double> all;
        for (const Run& run : runs) all.push_back(run.median);
        return all;
    }
    /// Seconds by which calls were longer than the shortest one: for partners, or the processor.
    [[nodiscard]] double waiting() const {
        return std::max(0.0, seconds - static_cast<double>(calls) * shortest);
    }
    [[nodiscard]] double mean() const {
        return calls == 0 ? 0 : seconds / static_cast<double>(calls);
    }
    /// Bytes per second of calls that take `call` seconds each; 0 without any.
    [[nodiscard]] double bandwidth(double call) const {
        const double all = call * static_cast<double>(calls);
        return all <= 0 ? 0 : static_cast<double>(bytes) * scale / all;
    }
};

/// The value in the middle, the mean of both if there are two; 0 without values.
inline double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// Over the repetitions: of the maximum wall time over ranks, and of the means over ranks.
TimeSpreads spreads_of_runs(const ReplayResult& result);

/// `scale`: of bytes, in the replay.
std::vector<CallsOfSize> calls_by_size(const ReplayResult& result, double scale = 1);

/// Writes members of the current object.
inline void put_spreads(JsonWriter& json, const TimeSpreads& times) {
    times.for_each([&json](std::string_view key, const Spread& spread) {
        json.key(key)
            .begin_object()
            .member("min", spread.minimum)
            .member("mean", spread.mean)
            .member("max", spread.maximum)
            .member("std", spread.deviation)
            .end_object();
    });
}

inline std::vector<std::string> spread_cells(const std::string& name, const Spread& spread) {
    return {name, format_time(spread.minimum), format_time(spread.mean),
            format_time(spread.maximum), format_time(spread.deviation)};
}

/// Writes rows of the current table.
inline void put_spreads(std::ostream& out, const std::string& what, const TimeSpreads& times) {
    times.for_each([&](const std::string& name, const Spread& spread) {
        put_row(out, "td", spread_cells(what + ' ' + name, spread));
    });
}

/// Bytes sent and received by calls with a count per partner of which only sums are known: spread
/// over the partners as evenly as the sums of all ranks allow.
u64 spread_bytes(const ReplayResult& result);

/// Deviations of a replay from its request, one sentence each; empty without any.
std::vector<std::string> shortfalls(const ReplayArguments& arguments, const ReplayResult& result);

/// Request and result in lines: calls and bytes, order, computation, and sufficiency of processors.
std::vector<std::string> fidelity_statement(const ReplayArguments& arguments,
                                            const ReplayResult& result);

}  // namespace tracefold
