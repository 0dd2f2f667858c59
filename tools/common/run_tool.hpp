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

/// The exit code of an error that ends a tool.
ExitCode exit_code(ErrorKind kind);

/// All that makes one tool differ from another.
struct ToolSpec {
    struct Example {
        std::string command;
        std::string meaning;
    };

    std::string name;               ///< "trace_compress"
    std::string description;        ///< One sentence for --help.
    std::vector<Example> examples;  ///< Last part of --help.
    /// What --version names after tool and library: "file format" and "1.0", "OTF2" and "3.0.2".
    std::vector<std::pair<std::string, std::string>> versions;
    SharedOptions shared;

    /// Adds the tool's own options. It must not open files: the whole command line is checked
    /// before anything happens.
    std::function<void(CLI::App&)> setup;

    /// The command that is meant if a file or folder that exists stands where the name of a command
    /// should be; empty: none.
    std::string default_command;

    /// Does the work and returns exit_ok or exit_mismatch; anything else it tells by throwing.
    std::function<ExitCode(Console&, const CommonOptions&)> run;

    /// With shared.pager, after the command line was parsed: whether what run() prints may be long
    /// enough for a pager.
    std::function<bool()> prints_much;

    /// Under MPI: the own rank. Only rank 0 prints help, usage errors and results.
    int rank = 0;

    /// Called after run() threw and its error was printed. Under MPI this is the place to abort the
    /// job, since the other ranks may be waiting for this one.
    std::function<void(ExitCode)> on_failure;
};

/// "Examples:" and what they are, as the end of a help; empty if there are none.
std::string examples_text(const std::vector<ToolSpec::Example>& examples);

/// Where a tool prints; tests bring their own.
struct ToolStreams {
    std::ostream& out;
    std::ostream& err;
    Terminal terminal;
    /// Called before something long is printed; true if a pager shows it.
    std::function<bool()> start_pager = nullptr;
};

/// The whole life of a tool: parses the command line, runs, prints the error of whatever was
/// thrown as one sentence, returns the exit code. Never throws.
int run_tool(int argc, const char* const* argv, const ToolSpec& spec);

/// The same on other streams; ARGUMENTS do not hold the tool's name.
int run_tool(const std::vector<std::string>& arguments, const ToolSpec& spec,
             const ToolStreams& streams);

/// Makes a tool of one process refuse to run as several that a launcher started, which would all
/// write the same output: one of them says so, and all end with the exit code for wrong usage.
/// Precondition: the tool's run is set.
void run_alone(ToolSpec& spec);

/// All processes of this program, if a launcher started it (base/world.hpp), at the beginning of a
/// main function. Tells why MPI cannot be used, once, and ends the process with exit code 1.
std::unique_ptr<Communicator> join_world(const std::string& tool, int& argc, char**& argv);

/// Makes a tool run on all processes of a job. An Error of `work`, which all have agreed upon, ends
/// all of them and is printed once; anything else aborts the job, since the others may be waiting.
/// The communicator must outlive the tool.
void run_together(Communicator& comm, ToolSpec& spec,
                  std::function<ExitCode(Console&, const CommonOptions&)> work);

}  // namespace tracefold
