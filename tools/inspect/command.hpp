// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "common/part_options.hpp"
#include "common/run_tool.hpp"
#include "common/trace_input.hpp"
#include "file/recording_gaps.hpp"
#include "file/trace_file.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// One command of trace_inspect: its command line and its action.
struct InspectCommand {
    CLI::App* app = nullptr;
    /// Collective; throws the same Error on all processes. Rank 0's exit code counts.
    std::function<ExitCode(Console&, Communicator&)> run;
    /// Its input, if it is a single trace, which may be open already.
    TraceInput* input = nullptr;
};

/// Wraps work that one process does, independent of their number.
inline auto on_rank_zero(std::function<ExitCode(Console&)> work) {
    return [work = std::move(work)](Console& console, Communicator& comm) {
        ExitCode code = exit_ok;
        agree(comm, [&] {
            if (comm.rank() == 0) code = work(console);
        });
        return code;
    };
}

/// Each function adds its command to APP; the result refers to APP and owns the arguments.
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

/// The examples at the end of a command's help.
std::vector<ToolSpec::Example> examples_of(std::string_view command);

/// Runs WORK on a file's content: errors, except for the command line, name the file.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::usage) throw;
        throw error.in(file);
    }
}

/// Adds --match; NAMES must outlive APP.
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

/// Input of a command of several processes, with the fan-out of the tree that merges their results.
struct WorldInput : TraceInput {
    int fanout = 2;

    /// `this` must outlive APP.
    void add_options(CLI::App& app) {
        TraceInput::add_options(app);
        app.add_option("--fanout", fanout, "Processes whose results one process takes")
            ->type_name("N")
            ->check(CLI::Range(2, 1024))
            ->capture_default_str();
    }
};

/// Warns if no call of the trace matches NAMES, and suggests the nearest name; true if it warned.
/// Cost: the symbols of the trace.
bool warn_if_nothing_matches(NameFilter& names, TraceFile& file, Console& console);

/// "; the recorder ..." if communication functions have no records; else empty. Cost: symbols.
std::string without_records(TraceFile& file);

/// Prints a line for each sentence about recording gaps.
void print_gaps(const RecordingGaps& gaps, GapScope scope, Console& console);

/// Prints recording gaps as warnings, for formats without sentences.
void warn_of_gaps(const RecordingGaps& gaps, GapScope scope, Console& console);

/// Writes the member "clock_drift" of the current object, if there is any.
void add_drift(JsonWriter& json, const RecordingGaps& gaps);

/// Writes the member "left_out" of the current object if there are gaps: the processes without
/// events and without MPI functions, the number of threads, and the sentences.
void add_gaps(JsonWriter& json, const RecordingGaps& gaps, GapScope scope);

}  // namespace tracefold
