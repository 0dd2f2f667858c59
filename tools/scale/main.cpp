// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"
#include "common/run_tool.hpp"
#include "scale/command.hpp"

#include <vector>

namespace tracefold {

namespace {

int run(int argc, char** argv) {
    std::vector<ScaleCommand> commands;
    ToolSpec spec;
    spec.name = "trace_scale";
    spec.description =
        "Compares runs of one program, and extrapolates them to other numbers of ranks.";
    spec.examples = {
        {"trace_scale models 4.tfold 9.tfold 16.tfold --at 1024",
         "growth of every call path, with values for 1024 ranks"},
        {"trace_scale compare old.tfold new.tfold", "time of both runs by call path"},
        {"trace_scale efficiency 8.tfold 27.tfold 64.tfold", "why larger runs are less efficient"},
        {"trace_scale extrapolate 8.tfold 27.tfold 64.tfold --ranks 4096 -o 4096.tfold",
         "the trace of a run on 4096 ranks"},
        {"trace_scale extrapolate *.tfold --ranks 512 --grid 16,8,4 -o 512.tfold",
         "on a given process grid"},
        {"trace_scale guard --junit guard.xml old*.tfold -- new.tfold",
         "whether new runs are slower, or do something else"}};
    spec.versions = format_versions();
    spec.setup = [&commands](CLI::App& app) {
        app.require_subcommand(1);
        commands = {add_models_command(app), add_compare_command(app), add_efficiency_command(app),
                    add_extrapolate_command(app), add_guard_command(app)};
    };
    spec.run = [&commands](Console& console, const CommonOptions& common) {
        for (const ScaleCommand& command : commands) {
            if (command.app->parsed()) return command.run(console, common);
        }
        return exit_usage;
    };
    run_alone(spec);
    return run_tool(argc, argv, spec);
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    return tracefold::start_tool("trace_scale", tracefold::run, argc, argv);
}
