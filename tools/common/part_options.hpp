// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/name_filter.hpp"
#include "common/rank_list.hpp"

#include <limits>
#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Seconds since the start of the trace, or shares of the run.
struct TimeWindow {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    bool given = false;
    bool from_is_share = false;  ///< 1: the end of the run
    bool to_is_share = false;

    [[nodiscard]] bool has_shares() const { return from_is_share || to_is_share; }
    /// The same in seconds, of a run of `length` seconds. Throws Error(usage) if it is empty then.
    [[nodiscard]] TimeWindow of_run(double length) const;
    /// "1.5:2", ":20ms", "2s:", "25%:50%". Throws Error(usage).
    static TimeWindow parse(const std::string& text);
};

/// Options that name a part of a trace, the same in all tools. What they set must outlive APP;
/// HELP says what becomes of the part.
CLI::Option* add_ranks_option(CLI::App& app, RankList& ranks,
                              const std::string& help = "Only these ranks, as in 0-15,64");
CLI::Option* add_time_option(CLI::App& app, TimeWindow& window, const std::string& help);
CLI::Option* add_iterations_option(CLI::App& app, RankList& iterations, const std::string& help);
/// `--NAME` with patterns, separated by commas.
CLI::Option* add_names_option(CLI::App& app, const std::string& name, NameFilter& names,
                              const std::string& help);

}  // namespace tracefold
