// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/trace_input.hpp"
#include "replay/replay_options.hpp"
#include "replay/replay_world.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// Command line of trace_replay, without shared options.
struct ReplayArguments {
    TraceInput input;
    ReplayOptions options;
    std::string command;  ///< command line
    RankMapping mapping = RankMapping::given;
    u64 idle_processes = 0;             ///< started beyond the ranks of the trace
    std::string nodes_file;             ///< the nodes of the ranks; then the mapping is `file`
    bool allow_left_out = false;        ///< calls that are not issued do not fail
    std::vector<std::string> reports;   ///< files, in the formats of their suffixes
    std::optional<double> tolerance;    ///< of computation times, relative to the request
    std::vector<std::string> compared;  ///< reports to compare instead of a replay
    bool check = false;                 ///< instead of a replay
    bool dry_run = false;               ///< instead of a replay
    bool fingerprint = false;           ///< instead of a replay
    std::string kit;                    ///< file for a kit instead of a replay
    std::string study_options;          ///< the options of a replay, as given
};

/// "none", "mean", as on the command line.
std::string_view word_of(Deltas deltas);
std::string_view word_of(WildcardChoice wildcards);
std::string_view word_of(RankMapping mapping);
std::string_view word_of(BufferPlace buffers);
/// "call:5", as on the command line.
std::string word_of(const WindowBound& bound);

void add_options(CLI::App& app, ReplayArguments& arguments);

}  // namespace tracefold
