// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/line_times.hpp"
#include "analysis/structure_listing.hpp"
#include "common/console.hpp"
#include "common/json_writer.hpp"
#include "pipeline/listing_source.hpp"
#include "pipeline/participant_names.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tracefold {

/// How much of a script is printed; 0 means all.
struct ListingLimits {
    u64 depth = 0;    ///< levels of loops and regions
    u64 width = 100;  ///< items of one body
};

/// Calls `sink` with every script of events and those of its participants that are selected.
void for_each_script(ListingSource& source, const std::vector<bool>& selected,
                     const std::function<void(const ListedScript&)>& sink);

/// Prints a script as an indented listing, with the share of each line in the script's time if
/// there are times.
void print_script(const ListedScript& script, const ParticipantNames& participants,
                  const std::optional<LineTimes>& times, const ListingLimits& limits,
                  Console& console);

/// Writes a script as one JSON object.
void write_script(const ListedScript& script, const ParticipantNames& participants,
                  const std::optional<LineTimes>& times, double ticks_per_second, JsonWriter& json);

}  // namespace tracefold
