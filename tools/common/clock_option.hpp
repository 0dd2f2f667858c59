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

/// --sync-clocks and what goes with it, the same in all tools.
struct ClockOption {
    bool sync = false;
    double latency = 0;  ///< seconds

    /// `this` must outlive APP.
    void add_options(CLI::App& app);

    /// Puts a trace with corrected times in place of the input, if that was asked for, folded with
    /// this effort; process 0 knows what became of the clocks. Collective. Throws the same Error on
    /// all processes, as sync_clocks().
    std::optional<SyncReport> apply(Communicator& comm, FoldedInput& input, int level,
                                    Console& console) const;
    /// Writes a trace with corrected times.
    SyncReport write(TraceFile& file, SyncOutput output, Console& console) const;
};

/// What became of the clocks, in sentences without a full stop.
std::vector<std::string> sync_sentences(const SyncReport& report);

/// The same as a member of the object at hand; nothing if `report` is null.
void add_clocks(JsonWriter& json, const SyncReport* report);

}  // namespace tracefold
