// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Which computation between calls is imitated.
enum class DeltaChoice { none, mean, sample, exact };

/// The command line of trace_replay, without the options that all tools share.
struct ReplayArguments {
    std::string input;
    DeltaChoice deltas = DeltaChoice::none;
    unsigned long long seed = 0;  ///< of DeltaChoice::sample
    double compute_scale = 1.0;
    bool sleep = false;
    double bytes_scale = 1.0;
    unsigned repetitions = 1;
    unsigned warm_up = 0;
    double timeout = 0;  ///< seconds; 0: none
    bool verify = false;
    bool skip_unsupported = false;
    std::string scratch = "/tmp";
    bool check = false;    ///< instead of replaying
    bool dry_run = false;  ///< instead of replaying
};

void add_options(CLI::App& app, ReplayArguments& arguments);

}  // namespace tracefold
