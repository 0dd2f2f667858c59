// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/trace_input.hpp"
#include "replay/wildcards.hpp"
#include "replay/window.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Which computation between calls is imitated.
enum class DeltaChoice { none, mean, sample, exact };

/// The command line of trace_replay, without the options that all tools share.
struct ReplayArguments {
    TraceInput input;
    DeltaChoice deltas = DeltaChoice::none;
    unsigned long long seed = 0;  ///< of DeltaChoice::sample
    double compute_scale = 1.0;
    bool sleep = false;
    double bytes_scale = 1.0;
    unsigned repetitions = 1;
    unsigned warm_up = 0;
    std::optional<u64> neighbour_bytes;
    WildcardChoice wildcards = WildcardChoice::none;
    WindowRequest window;
    double timeout = 0;  ///< seconds; 0: none
    bool verify = false;
    bool skip_unsupported = false;
    std::string scratch = "/tmp";
    std::string record;
    std::vector<std::string> reports;  ///< files, each in the form that its extension names
    unsigned detailed_ranks = 32;      ///< told by themselves in them
    bool hosts = false;
    std::optional<double> tolerance;    ///< of computation times, as a part of what was asked for
    std::vector<std::string> compared;  ///< reports, which are compared instead of replaying
    bool check = false;                 ///< instead of replaying
    bool dry_run = false;               ///< instead of replaying
};

/// "none", "mean", as on the command line.
std::string_view word_of(DeltaChoice deltas);
std::string_view word_of(WildcardChoice wildcards);
/// "call:5", as on the command line.
std::string word_of(const WindowBound& bound);

void add_options(CLI::App& app, ReplayArguments& arguments);

}  // namespace tracefold
