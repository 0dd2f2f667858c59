// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "transform/sync_clocks.hpp"

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// --sync-clocks and related options, identical in all tools.
struct ClockOption {
    bool sync = false;
    double latency = 0;  ///< seconds

    /// `this` must outlive APP.
    void add_options(CLI::App& app);

    /// If requested, replaces the input by a trace with corrected times, folded at this level; the
    /// report is complete on process 0. Collective. Throws the same Error on all processes, as
    /// sync_clocks().
    std::optional<SyncReport> apply(Communicator& comm, FoldedInput& input, int level,
                                    Console& console) const;
    /// Writes a trace with corrected times.
    SyncReport write(TraceFile& file, SyncOutput output, Console& console) const;
};

/// The clock corrections as sentences without a full stop.
std::vector<std::string> sync_sentences(const SyncReport& report);

/// Adds the clock corrections as a member of the current object; nothing if `report` is null.
void add_clocks(JsonWriter& json, const SyncReport* report);

}  // namespace tracefold
