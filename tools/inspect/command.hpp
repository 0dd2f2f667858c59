// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/rank_list.hpp"
#include "common/run_tool.hpp"
#include "core/error.hpp"

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// One command of trace_inspect: its part of the command line, and what it does once that is valid.
struct InspectCommand {
    CLI::App* app = nullptr;
    std::function<ExitCode(Console&)> run;
};

/// Each adds its command to APP; the result refers to APP and keeps its arguments alive.
InspectCommand add_info_command(CLI::App& app);
InspectCommand add_structure_command(CLI::App& app);
InspectCommand add_calls_command(CLI::App& app);
InspectCommand add_matrix_command(CLI::App& app);
InspectCommand add_sizes_command(CLI::App& app);
InspectCommand add_diff_command(CLI::App& app);
InspectCommand add_graph_command(CLI::App& app);
InspectCommand add_check_command(CLI::App& app);
InspectCommand add_system_command(CLI::App& app);

/// The file that a command is about; FILE must outlive APP.
inline void add_file_argument(CLI::App& app, std::string& file) {
    app.add_option("FILE", file, "File that trace_compress wrote")->type_name("")->required();
}

/// Runs WORK on what a file holds: errors, but those of the command line, name the file.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::usage) throw;
        throw error.in(file);
    }
}

/// --ranks; RANKS must outlive APP.
inline void add_ranks_option(CLI::App& app, RankList& ranks) {
    app.add_option_function<std::string>(
           "--ranks", [&ranks](const std::string& text) { ranks = RankList::parse(text); },
           "Only these ranks, as in 0-15,64")
        ->type_name("LIST");
}

}  // namespace tracefold
