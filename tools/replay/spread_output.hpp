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

namespace tracefold {

/// A member of the object that is open.
inline void put_spread(JsonWriter& json, std::string_view key, const Spread& spread) {
    json.key(key)
        .begin_object()
        .member("min", spread.minimum)
        .member("mean", spread.mean)
        .member("max", spread.maximum)
        .member("std", spread.deviation)
        .end_object();
}

/// A row of the table that is open.
inline void put_spread(std::ostream& out, const std::string& name, const Spread& spread) {
    put_row(out, "td",
            {name, format_time(spread.minimum), format_time(spread.mean),
             format_time(spread.maximum), format_time(spread.deviation)});
}

}  // namespace tracefold
