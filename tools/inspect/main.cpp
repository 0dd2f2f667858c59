// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/run_tool.hpp"
#include "inspect/command.hpp"

#include <algorithm>
#include <array>

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
#define TRACEFOLD_ADD_COMMAND(name) commands.push_back(add_##name##_command(app));
        TRACEFOLD_INSPECT_COMMANDS(TRACEFOLD_ADD_COMMAND)
#undef TRACEFOLD_ADD_COMMAND
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

namespace tracefold {

namespace {

using Examples = std::vector<ToolSpec::Example>;

struct CommandExamples {
    std::string_view command;
    Examples examples;
};

std::vector<CommandExamples> examples_of_contents() {
    return {
        {"info",
         {{"trace_inspect info run.tfold", "what it is, and how large its parts are"},
          {"trace_inspect info run.tfold --all", "with every function and every type of record"},
          {"trace_inspect info run.tfold --json", "the same for a script"}}},
        {"structure",
         {{"trace_inspect structure run.tfold --ranks 0-3", "these ranks, as loops of calls"},
          {"trace_inspect structure run.tfold --depth 1", "the outermost level only"},
          {"trace_inspect structure run.tfold --times", "with the time that every line takes"}}},
        {"calls",
         {{"trace_inspect calls run.tfold --ranks 0 --iterations 0", "one time step of a rank"},
          {"trace_inspect calls run.tfold --time :250ms --match 'MPI_All*'",
           "these calls in a window of time"},
          {"trace_inspect calls run.tfold --csv", "all calls as a table"}}},
        {"system",
         {{"trace_inspect system run.tfold", "the machine, as far as it is alike in short"},
          {"trace_inspect system run.tfold --ranks 3", "where rank 3 was"},
          {"trace_inspect system run.tfold --unfold", "every node, process and thread"}}},
        {"diff",
         {{"trace_inspect diff old.tfold new.tfold --ignore ProcessId",
           "what changed but for the numbers of processes"},
          {"trace_inspect diff old.tfold new.tfold --tolerance 0.2",
           "with the mean times of calls, if they differ by more than a fifth"}}},
        {"check",
         {{"trace_inspect check run.tfold", "whether every message finds its receive"},
          {"trace_inspect check run.tfold --unsupported skip",
           "whether a replay can do without the calls that the trace says too little about"}}}};
}

std::vector<CommandExamples> examples_of_traffic() {
    return {
        {"matrix",
         {{"trace_inspect matrix run.tfold --by node", "how much nodes send to each other"},
          {"trace_inspect matrix run.tfold --kind collective --metric calls",
           "who takes part in collective operations, and how often"},
          {"trace_inspect matrix run.tfold --svg > matrix.svg", "a picture"}}},
        {"sizes",
         {{"trace_inspect sizes run.tfold", "how often messages of which size occur"},
          {"trace_inspect sizes run.tfold --exact --ranks 0", "every size for itself, of rank 0"},
          {"trace_inspect sizes run.tfold --svg > sizes.svg", "a picture"}}},
        {"graph",
         {{"trace_inspect graph run.tfold -o run.svg", "which call follows which, as a picture"},
          {"trace_inspect graph run.tfold --ranks 0 --recover",
           "the calls of rank 0 in order, from the graph alone"},
          {"trace_inspect graph run.tfold --ranks 0 --tuples",
           "the graph of rank 0 for itself, and in which order its branches are taken"},
          {"trace_inspect graph run.tfold --signature call,size,path -o run.graphml",
           "events told apart by other properties, for a program that reads graphs"},
          {"trace_inspect graph run.tfold --stats", "how large the graph is"}}}};
}

std::vector<CommandExamples> examples_of_times() {
    return {{"profile",
             {{"trace_inspect profile run.tfold --depth 3", "the upper levels of the call tree"},
              {"trace_inspect profile run.tfold --metric time --by rank",
               "how the time of every call path spreads over ranks"},
              {"mpirun -n 4 trace_inspect profile run.tfold -o run.cubex",
               "a file for the Cube tools; in four processes"}}},
            {"metrics",
             {{"trace_inspect metrics run.tfold", "every metric: sum or mean, least, greatest"},
              {"trace_inspect metrics run.tfold --csv", "the same as a table"}}},
            {"accelerators",
             {{"trace_inspect accelerators run.tfold", "how busy streams were, and their kernels"},
              {"trace_inspect accelerators run.tfold --json", "the same for a script"}}},
            {"predict",
             {{"trace_inspect predict run.tfold",
               "on the network that it was recorded on, at its best"},
              {"trace_inspect predict run.tfold --network infiniband --network ethernet",
               "two networks side by side"},
              {"trace_inspect predict run.tfold --latency 2us --per-byte 0.1ns --faster 'solve*=2'",
               "a network of your own, and what faster code would be worth there"}}},
            {"io",
             {{"trace_inspect io run.tfold", "what was read from and written to every file"},
              {"trace_inspect io run.tfold --by rank --csv", "by whom, as a table"}}},
            {"efficiency",
             {{"trace_inspect efficiency run.tfold", "load balance, transfer, where ranks wait"},
              {"trace_inspect efficiency run.tfold --csv", "the same as a table"}}},
            {"stats",
             {{"trace_inspect stats run.tfold", "how often, how much and how long, by function"},
              {"trace_inspect stats run.tfold --match 'MPI_All*' --over ranks",
               "how these calls spread over ranks"},
              {"mpirun -n 4 trace_inspect stats run.tfold --histogram 'MPI_All*' --over-time",
               "how their times spread over ranks and iterations; in four processes"}}},
            {"classes",
             {{"trace_inspect classes run.tfold --by script", "which ranks do the same"},
              {"trace_inspect classes run.tfold --by regions='solve*'",
               "which ranks enter these regions as often"},
              {"trace_inspect classes run.tfold --per-iteration",
               "how classes change from iteration to iteration"}}},
            {"report",
             {{"trace_inspect report run.tfold -o run.html", "all of it on one page"},
              {"mpirun -n 4 trace_inspect report run.tfold -o run.html -f",
               "in four processes, over the page of before"}}},
            {"serve",
             {{"trace_inspect serve run.tfold", "an interactive page; prints its address"},
              {"trace_inspect serve old.tfold new.tfold --port 8080", "two runs side by side"}}}};
}

}  // namespace

std::vector<ToolSpec::Example> examples_of(std::string_view command) {
    static const std::array groups{examples_of_contents(), examples_of_traffic(),
                                   examples_of_times()};
    for (const auto& group : groups) {
        for (const CommandExamples& entry : group) {
            if (entry.command == command) return entry.examples;
        }
    }
    return {};
}

}  // namespace tracefold
