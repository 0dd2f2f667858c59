// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/agree.hpp"
#include "comm/communicator.hpp"
#include "common/part_options.hpp"
#include "common/run_tool.hpp"
#include "common/trace_input.hpp"
#include "core/error.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// One command of trace_inspect: its part of the command line, and what it does once that is valid.
struct InspectCommand {
    CLI::App* app = nullptr;
    /// Collective; throws the same Error on all processes. The exit code of rank 0 counts.
    std::function<ExitCode(Console&, Communicator&)> run;
    /// What it reads, if that is one trace; it can be given one that is open already.
    TraceInput* input = nullptr;
};

/// The work of a command that one process does, whatever their number.
inline auto alone(std::function<ExitCode(Console&)> work) {
    return [work = std::move(work)](Console& console, Communicator& comm) {
        ExitCode code = exit_ok;
        agree(comm, [&] {
            if (comm.rank() == 0) code = work(console);
        });
        return code;
    };
}

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
InspectCommand add_profile_command(CLI::App& app);
InspectCommand add_stats_command(CLI::App& app);
InspectCommand add_classes_command(CLI::App& app);
InspectCommand add_accelerators_command(CLI::App& app);
InspectCommand add_metrics_command(CLI::App& app);
InspectCommand add_report_command(CLI::App& app);
InspectCommand add_serve_command(CLI::App& app);
InspectCommand add_efficiency_command(CLI::App& app);
InspectCommand add_io_command(CLI::App& app);
InspectCommand add_predict_command(CLI::App& app);

/// The examples that end the help of a command of trace_inspect.
std::vector<ToolSpec::Example> examples_of(std::string_view command);

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

/// --match; NAMES must outlive APP.
inline void add_match_option(
    CLI::App& app, NameFilter& names,
    const std::string& help = "Only calls of this name: MPI_I*, or /send|recv/; may be repeated") {
    app.add_option_function<std::vector<std::string>>(
           "--match",
           [&names](const std::vector<std::string>& patterns) {
               for (const std::string& pattern : patterns) names.add(pattern);
           },
           help)
        ->type_name("PATTERN")
        ->take_all();
}

}  // namespace tracefold
