// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/call_times.hpp"
#include "analysis/iterations.hpp"
#include "clocks/sync_clocks.hpp"
#include "names/participant_names.hpp"
#include "query/listing_source.hpp"

#include <optional>
#include <string>

namespace tracefold {

/// What the sections of a report are made from.
struct ReportSource {
    /// The file and its steps must outlive this object. Reads the times of all calls, if there are
    /// any.
    ReportSource(TraceFile& trace, std::string shown, FoundSteps& found);

    [[nodiscard]] bool keeps_every_time() const {
        return tracefold::keeps_every_time(file.summary().timing);
    }
    [[nodiscard]] double seconds(u64 ticks) const {
        return static_cast<double>(ticks) /
               static_cast<double>(file.definitions().timer_resolution());
    }

    TraceFile& file;
    std::string name;  ///< of the file, without its folder
    ParticipantNames names;
    ListingSource listing;
    FoundSteps& steps;
    Iterations iterations;
    std::vector<bool> everyone;  ///< all locations
    std::optional<CallTimes> times;
    std::optional<SyncReport> clocks;  ///< if they were corrected
};

}  // namespace tracefold
