// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"
#include "common/console.hpp"
#include "replay/compare/compare.hpp"
#include "replay/kit.hpp"
#include "replay/options.hpp"
#include "replay/run.hpp"

#include <filesystem>

namespace {

/// The command line, with quotes where needed.
std::string command_of(int argc, char** argv) {
    std::string command = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool plain = argument.find_first_of(" \t'\"\\$&|;<>()*?") == std::string::npos;
        command += plain && !argument.empty() ? " " + argument : " \"" + argument + "\"";
    }
    return command;
}

}  // namespace

namespace tracefold {

namespace {

int run(int argc, char** argv) {
    const ReplayStart start{own_launch(), &argc, &argv, command_of(argc, argv)};
    ReplayArguments arguments;
    const std::string temporary = process_environment()("TMPDIR").value_or("");
    arguments.command = start.command;
    arguments.options.scratch = temporary.empty() ? "/tmp" : temporary;
    ToolSpec spec;
    spec.name = "trace_replay";
    spec.description = "Issues the MPI calls of a trace again, one process per rank.";
    spec.examples = {
        {"mpirun -n 16 trace_replay run.tfold", "all calls, without computation"},
        {"mpirun -n 16 trace_replay run.tfold --deltas exact",
         "with the computation between them, as long as recorded"},
        {"trace_replay run.tfold --check", "whether the trace can be replayed"},
        {"trace_replay run.tfold --kit kit.tar.gz", "what a vendor needs to replay it"},
        {"trace_replay --compare here.json there.json", "reports of two machines side by side"}};
    spec.versions = format_versions();
    spec.shared = {.force = true, .json = true, .progress = false};
    spec.setup = [&arguments](CLI::App& app) { add_options(app, arguments); };
    spec.run = [&](Console& console, const CommonOptions& common) {
        // Under a launcher, work that needs no other process runs on one process.
        const bool compare = !arguments.compared.empty();
        const bool alone = arguments.check || arguments.dry_run || arguments.fingerprint ||
                           !arguments.kit.empty() || compare;
        if (alone && start.launch.rank != 0) return exit_ok;
        if (compare) {
            return run_compare(arguments.compared, arguments.reports, common.force, console);
        }
        if (arguments.check) {
            return run_check(arguments.input, check_choice(arguments.options), console);
        }
        if (arguments.dry_run) return run_dry(arguments.input, console);
        if (arguments.fingerprint) return print_fingerprint(arguments, console);
        if (!arguments.kit.empty()) return write_kit(arguments, common.force, console);
        return run_replay(arguments, start, common.force, console);
    };
    spec.rank = static_cast<int>(start.launch.rank);
    return run_tool(argc, argv, spec);
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    return tracefold::start_tool("trace_replay", tracefold::run, argc, argv);
}
