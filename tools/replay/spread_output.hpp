// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/html_page.hpp"
#include "common/units.hpp"
#include "core/json_writer.hpp"
#include "replay_mpi/measure/time_spreads.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
