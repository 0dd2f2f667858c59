// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "common/common_options.hpp"
#include "common/console.hpp"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// Exit codes of all tools.
enum ExitCode : int {
    exit_ok = 0,
    exit_failure = 1,   ///< Data, input/output or MPI.
    exit_usage = 2,     ///< Command line.
    exit_mismatch = 3,  ///< A check ran and found a difference.
};

ExitCode exit_code(ErrorKind kind);

/// The properties of a tool.
struct ToolSpec {
    struct Example {
        std::string command;
        std::string meaning;
    };

    std::string name;               ///< "trace_compress"
    std::string description;        ///< Sentence for --help.
    std::vector<Example> examples;  ///< Last part of --help.
    /// Further versions in --version: "file format" and "1.0", "OTF2" and "3.0.2".
    std::vector<std::pair<std::string, std::string>> versions;
    SharedOptions shared;

    /// Adds the tool's own options. Must not open files: the whole command line is checked first.
    std::function<void(CLI::App&)> setup;

    /// The command to use if an existing file or folder replaces the command name; empty: none.
    std::string default_command;

    /// Does the work and returns exit_ok or exit_mismatch; throws on failure.
    std::function<ExitCode(Console&, const CommonOptions&)> run;

    /// With shared.pager, after parsing: whether the output of run() may need a pager.
    std::function<bool()> prints_much;

    /// Under MPI: the own rank. Only rank 0 prints help, usage errors and results.
    int rank = 0;

    /// Called after run() threw and its error was printed; under MPI, aborts the job.
    std::function<void(ExitCode)> on_failure;
};

/// "Examples:" with descriptions, as the end of a help text; empty without examples.
std::string examples_text(const std::vector<ToolSpec::Example>& examples);

/// Output of a tool; tests supply their own.
struct ToolStreams {
    std::ostream& out;
    std::ostream& err;
    Terminal terminal;
    /// Called before long output; true if a pager shows it.
    std::function<bool()> start_pager = nullptr;
};

/// The main function of a tool: calls `run`, prints what it throws as one sentence. Returns the
/// exit code.
int start_tool(const char* name, int (*run)(int argc, char** argv), int argc, char** argv);

/// Parses the command line, runs, prints errors as one sentence. Returns the exit code.
int run_tool(int argc, const char* const* argv, const ToolSpec& spec);

/// Runs a tool on other streams; ARGUMENTS exclude the tool's name.
int run_tool(const std::vector<std::string>& arguments, const ToolSpec& spec,
             const ToolStreams& streams);

/// Makes a serial tool refuse to run as several launched processes, which would all write the same
/// output: one prints the error, all end with the exit code for wrong usage. Precondition: spec.run
/// is set.
void run_alone(ToolSpec& spec);

/// Joins all processes of this program, if a launcher started it (base/world.hpp). Only
/// run_together() and run_tool() may follow: a process that fails elsewhere leaves others waiting.
std::unique_ptr<Communicator> join_world(int& argc, char**& argv);

/// Makes a tool run on all processes of a job. A collective Error of `work` ends all processes and
/// is printed once; other exceptions abort the job, since other processes may be waiting. The
/// communicator must outlive the tool.
void run_together(Communicator& comm, ToolSpec& spec,
                  std::function<ExitCode(Console&, const CommonOptions&)> work);

}  // namespace tracefold
