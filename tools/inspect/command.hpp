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

/// One command of trace_inspect: its part of the command line, and what it does once that is valid.
struct InspectCommand {
    CLI::App* app = nullptr;
    /// Collective; throws the same Error on all processes. The exit code of rank 0 counts.
    std::function<ExitCode(Console&, Communicator&)> run;
    /// What it reads, if that is one trace; it can be given one that is open already.
    TraceInput* input = nullptr;
};

/// The work of a command that one process does, whatever their number.
inline auto on_rank_zero(std::function<ExitCode(Console&)> work) {
    return [work = std::move(work)](Console& console, Communicator& comm) {
        ExitCode code = exit_ok;
        agree(comm, [&] {
            if (comm.rank() == 0) code = work(console);
        });
        return code;
    };
}

// clang-format off
/// The commands in the order of the help, X(name).
#define TRACEFOLD_INSPECT_COMMANDS(X)                                                     \
    X(info) X(structure) X(calls) X(messages) X(matrix) X(sizes) X(diff) X(system) X(graph) X(check)  \
    X(explain) X(profile) X(stats) X(classes) X(metrics) X(accelerators) X(efficiency)     \
    X(io) X(predict) X(report) X(serve) X(list)
// clang-format on

/// add_NAME_command() of each adds the command to `app`; the result refers to `app` and owns the
/// command's arguments.
#define TRACEFOLD_DECLARE_COMMAND(name) InspectCommand add_##name##_command(CLI::App& app);
TRACEFOLD_INSPECT_COMMANDS(TRACEFOLD_DECLARE_COMMAND)
#undef TRACEFOLD_DECLARE_COMMAND

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

/// What a command is about that several processes work on, and the tree along which they put their
/// results together.
struct WorldInput : TraceInput {
    int fanout = 2;

    /// `this` must outlive APP.
    void add_options(CLI::App& app) {
        TraceInput::add_options(app);
        app.add_option("--fanout", fanout, "Processes that send their results to one process")
            ->type_name("N")
            ->check(CLI::Range(2, 1024))
            ->capture_default_str();
    }
};

/// Warns if no call of the trace has a name that NAMES asks for, with the nearest name that there
/// is; true if it did. Cost: the symbols of the trace.
bool warn_if_nothing_matches(NameFilter& names, TraceFile& file, Console& console);

/// "; the recorder ..." if functions communicated of which there are no records; else empty. Cost:
/// the symbols of the trace.
std::string without_records(TraceFile& file);

/// A line for each sentence about what was not recorded.
void print_gaps(const RecordingGaps& gaps, GapScope scope, Console& console);

/// The same as warnings, for forms of a result that have no room for sentences.
void warn_of_gaps(const RecordingGaps& gaps, GapScope scope, Console& console);

/// The member "clock_drift" of the current object, where there is one to tell of.
void add_drift(JsonWriter& json, const RecordingGaps& gaps);

/// The member "left_out" of the object at hand, unless there are no gaps: the processes without
/// events and without functions of MPI, the number of threads, and the sentences.
void add_gaps(JsonWriter& json, const RecordingGaps& gaps, GapScope scope);

}  // namespace tracefold
