// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/trace_input.hpp"
#include "replay/replay_options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// The command line of trace_replay, without the options that all tools share.
struct ReplayArguments {
    TraceInput input;
    ReplayOptions options;
    std::vector<std::string> reports;   ///< files, each in the form that its extension names
    std::optional<double> tolerance;    ///< of computation times, as a part of what was asked for
    std::vector<std::string> compared;  ///< reports, which are compared instead of replaying
    bool check = false;                 ///< instead of replaying
    bool dry_run = false;               ///< instead of replaying
};

/// "none", "mean", as on the command line.
std::string_view word_of(Deltas deltas);
std::string_view word_of(WildcardChoice wildcards);
/// "call:5", as on the command line.
std::string word_of(const WindowBound& bound);

void add_options(CLI::App& app, ReplayArguments& arguments);

}  // namespace tracefold
