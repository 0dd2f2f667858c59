// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/run_tool.hpp"
#include "inspect/command.hpp"

#include <algorithm>

int main(int argc, char** argv) {
    using namespace tracefold;
    const std::unique_ptr<Communicator> comm = join_world("trace_inspect", argc, argv);
    std::vector<InspectCommand> commands;
    ToolSpec spec;
    spec.name = "trace_inspect";
    spec.description = "Shows what a trace holds, without unfolding it.";
    spec.examples = {
        {"trace_inspect run/traces.otf2", "the same as trace_inspect info run/traces.otf2"},
        {"trace_inspect info run.tfold", "what it is, and how large its parts are"},
        {"trace_inspect structure run.tfold --ranks 0-3", "what these ranks do, as loops of calls"},
        {"trace_inspect calls run.tfold --ranks 0 --iterations 0", "one time step of a rank"},
        {"trace_inspect matrix run.tfold --by node", "how much nodes send to each other"},
        {"trace_inspect system run.tfold --ranks 17", "on which node rank 17 was"},
        {"trace_inspect diff old.tfold new.tfold", "what changed"},
        {"trace_inspect graph run.tfold -o run.svg", "which call follows which"},
        {"mpirun -n 4 trace_inspect profile run.tfold", "how long every call path takes"},
        {"trace_inspect efficiency run.tfold", "where ranks wait for each other"},
        {"trace_inspect predict run.tfold --network infiniband",
         "how long it would take on another network, and what makes it so"},
        {"trace_inspect io run.tfold", "which files were read and written, and how fast"},
        {"trace_inspect stats run.tfold", "how often, how much and how long, by function"},
        {"mpirun -n 4 trace_inspect stats run.tfold --histogram 'MPI_All*' --over-time",
         "how these times spread over ranks and iterations; in four processes"},
        {"trace_inspect classes run.tfold --by regions='solve*'",
         "which ranks enter these regions as often"},
        {"trace_inspect metrics run.tfold --by path", "where counters grow"},
        {"trace_inspect check run.tfold", "whether every message finds its receive"},
        {"trace_inspect report run.tfold -o run.html", "all of it on one page"},
        {"trace_inspect serve run.tfold", "the same in a browser, exact at any zoom"}};
    spec.versions = {{"file format", "1.0"}};
    spec.default_command = "info";
    spec.shared.force = false;
    spec.shared.progress = false;
    spec.shared.pager = true;
    spec.prints_much = [&commands] {
        return std::none_of(commands.begin(), commands.end(), [](const InspectCommand& command) {
            return command.app->get_name() == "serve" && command.app->parsed();
        });
    };
    spec.setup = [&commands](CLI::App& app) {
        app.require_subcommand(1);
        commands = {
            add_info_command(app),    add_structure_command(app),    add_calls_command(app),
            add_matrix_command(app),  add_sizes_command(app),        add_diff_command(app),
            add_system_command(app),  add_graph_command(app),        add_check_command(app),
            add_profile_command(app), add_stats_command(app),        add_classes_command(app),
            add_metrics_command(app), add_accelerators_command(app), add_efficiency_command(app),
            add_io_command(app),      add_predict_command(app),      add_report_command(app),
            add_serve_command(app)};
        for (const InspectCommand& command : commands) {
            command.app->footer(examples_text(examples_of(command.app->get_name())));
        }
    };
    run_together(*comm, spec, [&commands, &comm](Console& console, const CommonOptions&) {
        for (const InspectCommand& command : commands) {
            if (command.app->parsed()) return command.run(console, *comm);
        }
        return exit_usage;
    });
    return run_tool(argc, argv, spec);
}
