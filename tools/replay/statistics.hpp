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

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Calls of one function that send and receive about as many bytes each, by all ranks in one
/// repetition.
struct CallsOfSize {
    std::string function;
    u64 from_bytes = 0;  ///< 0, or a power of two up to whose double the size of a call is
    u64 calls = 0;
    u64 bytes = 0;        ///< of all calls together, as OTF2 counts them
    double seconds = 0;   ///< of all calls together, mean of the repetitions
    double shortest = 0;  ///< seconds of a single call

    /// Seconds of a call.
    [[nodiscard]] double mean() const {
        return calls == 0 ? 0 : seconds / static_cast<double>(calls);
    }
    /// Bytes per second; 0 if there are none.
    [[nodiscard]] double bandwidth() const {
        return seconds <= 0 ? 0 : static_cast<double>(bytes) / seconds;
    }
};

/// Over the repetitions: of the longest wall time of all ranks, and of the means of all ranks.
TimeSpreads spreads_of_runs(const ReplayResult& result);

/// By function and size, those that were called.
std::vector<CallsOfSize> calls_by_size(const ReplayResult& result);

/// 16 hexadecimal digits, of a trace or of what was issued.
std::string fingerprint_text(u64 fingerprint);

/// Members of the object that is open.
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

/// The cells of a row with a spread.
inline std::vector<std::string> spread_cells(const std::string& name, const Spread& spread) {
    return {name, format_time(spread.minimum), format_time(spread.mean),
            format_time(spread.maximum), format_time(spread.deviation)};
}

/// Rows of the table that is open.
inline void put_spreads(std::ostream& out, const std::string& what, const TimeSpreads& times) {
    times.for_each([&](const std::string& name, const Spread& spread) {
        put_row(out, "td", spread_cells(what + ' ' + name, spread));
    });
}

/// In what a replay differs from what was asked for, a sentence each; empty if in nothing.
std::vector<std::string> shortfalls(const ReplayArguments& arguments, const ReplayResult& result);

/// What was asked for and what came of it, in lines: calls and bytes, order, computation, and
/// whether there were processors enough.
std::vector<std::string> fidelity_statement(const ReplayArguments& arguments,
                                            const ReplayResult& result);

}  // namespace tracefold
