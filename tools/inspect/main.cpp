// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/run_tool.hpp"
#include "inspect/command.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

int run(int argc, char** argv) {
    std::vector<InspectCommand> commands;
    ToolSpec spec;
    spec.name = "trace_inspect";
    spec.description = "Answers questions about a trace without unfolding it.";
    spec.examples = {
        {"trace_inspect run/traces.otf2", "short for trace_inspect info run/traces.otf2"},
        {"trace_inspect info run.tfold", "the trace, and the size of its parts"},
        {"trace_inspect structure run.tfold --ranks 0-3",
         "the program of these ranks, as loops of calls"},
        {"trace_inspect calls run.tfold --ranks 0 --iterations 0", "one time step of a rank"},
        {"trace_inspect matrix run.tfold --by node", "traffic between nodes"},
        {"trace_inspect system run.tfold --ranks 17", "the node of rank 17"},
        {"trace_inspect diff old.tfold new.tfold", "differences between two traces"},
        {"trace_inspect graph run.tfold -o run.svg", "the event flow graph as a picture"},
        {"mpirun -n 4 trace_inspect profile run.tfold", "time of every call path"},
        {"trace_inspect efficiency run.tfold", "parallel efficiency, and where ranks wait"},
        {"trace_inspect predict run.tfold --network infiniband",
         "run time on another network, and the reasons"},
        {"trace_inspect io run.tfold", "files that were read and written, and their bandwidth"},
        {"trace_inspect stats run.tfold", "count, bytes and time by function"},
        {"mpirun -n 4 trace_inspect stats run.tfold --histogram 'MPI_All*' --over-time",
         "distribution of these times over ranks and iterations; in four processes"},
        {"trace_inspect classes run.tfold --by regions='solve*'",
         "ranks that enter these regions equally often"},
        {"trace_inspect metrics run.tfold --by path", "counters by call path"},
        {"trace_inspect check run.tfold", "unmatched messages and collectives"},
        {"trace_inspect report run.tfold -o run.html", "all results on one page"},
        {"trace_inspect serve run.tfold", "an interactive page, exact at any zoom"},
        {"trace_inspect list .", "all traces below a folder, a line each"}};
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
    const std::unique_ptr<Communicator> comm = join_world(argc, argv);
    run_together(*comm, spec, [&commands, &comm](Console& console, const CommonOptions&) {
        for (const InspectCommand& command : commands) {
            if (command.app->parsed()) return command.run(console, *comm);
        }
        return exit_usage;
    });
    return run_tool(argc, argv, spec);
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    return tracefold::start_tool("trace_inspect", tracefold::run, argc, argv);
}

namespace tracefold {

namespace {

using Examples = std::vector<ToolSpec::Example>;

struct CommandExamples {
    std::string_view command;
    Examples examples;
};

std::vector<CommandExamples> examples_of_contents() {
    return {{"info",
             {{"trace_inspect info run.tfold", "the trace, and the size of its parts"},
              {"trace_inspect info run.tfold --all", "with all functions and types of records"},
              {"trace_inspect info run.tfold --json", "as JSON, for a script"}}},
            {"structure",
             {{"trace_inspect structure run.tfold --ranks 0-3",
               "the program of these ranks, as loops of calls"},
              {"trace_inspect structure run.tfold --depth 1", "the outermost level only"},
              {"trace_inspect structure run.tfold --times", "with the time of every line"}}},
            {"calls",
             {{"trace_inspect calls run.tfold --ranks 0 --iterations 0", "one time step of a rank"},
              {"trace_inspect calls run.tfold --time :250ms --match 'MPI_All*'",
               "these calls in a time window"},
              {"trace_inspect calls run.tfold --csv", "all calls as a table"}}},
            {"messages",
             {{"trace_inspect messages run.tfold --top 10", "the ten longest waits for a message"},
              {"trace_inspect messages run.tfold --ranks 0 --iterations 5",
               "messages from and to a rank in one time step"},
              {"trace_inspect messages run.tfold --csv", "all messages as a table"}}},
            {"system",
             {{"trace_inspect system run.tfold", "the machine, identical parts merged"},
              {"trace_inspect system run.tfold --ranks 3", "the node of rank 3"},
              {"trace_inspect system run.tfold --unfold", "every node, process and thread"}}},
            {"diff",
             {{"trace_inspect diff old.tfold new.tfold --ignore ProcessId",
               "differences, except process ids"},
              {"trace_inspect diff old.tfold new.tfold --tolerance 0.2",
               "with mean times that differ by more than 20 %"}}},
            {"check",
             {{"trace_inspect check run.tfold", "unmatched messages and collectives"},
              {"trace_inspect check run.tfold --unsupported skip",
               "whether a replay can skip calls that the trace does not describe well enough"}}}};
}

std::vector<CommandExamples> examples_of_traffic() {
    return {{"matrix",
             {{"trace_inspect matrix run.tfold --by node", "traffic between nodes"},
              {"trace_inspect matrix run.tfold --kind collective --metric calls",
               "members of collective operations, with counts"},
              {"trace_inspect matrix run.tfold --svg > matrix.svg", "a picture"}}},
            {"sizes",
             {{"trace_inspect sizes run.tfold", "histogram of message sizes"},
              {"trace_inspect sizes run.tfold --exact --ranks 0", "every size of rank 0 by itself"},
              {"trace_inspect sizes run.tfold --svg > sizes.svg", "a picture"}}},
            {"graph",
             {{"trace_inspect graph run.tfold -o run.svg", "the event flow graph as a picture"},
              {"trace_inspect graph run.tfold --ranks 0 --recover",
               "the calls of rank 0 in order, from the graph alone"},
              {"trace_inspect graph run.tfold --ranks 0 --tuples",
               "the graph of rank 0, with the order of its branches"},
              {"trace_inspect graph run.tfold --signature call,size,path -o run.graphml",
               "events distinguished by other properties, for graph tools"},
              {"trace_inspect graph run.tfold --stats", "size of the graph"}}}};
}

std::vector<CommandExamples> examples_of_times() {
    return {
        {"profile",
         {{"trace_inspect profile run.tfold --depth 3", "the top levels of the call tree"},
          {"trace_inspect profile run.tfold --metric time --by rank",
           "time of every call path over ranks"},
          {"mpirun -n 4 trace_inspect profile run.tfold -o run.cubex",
           "a file for the Cube tools; in four processes"}}},
        {"metrics",
         {{"trace_inspect metrics run.tfold", "every metric: sum or mean, minimum, maximum"},
          {"trace_inspect metrics run.tfold --csv", "the same as a table"}}},
        {"accelerators",
         {{"trace_inspect accelerators run.tfold", "utilization of streams, and their kernels"},
          {"trace_inspect accelerators run.tfold --json", "as JSON, for a script"}}},
        {"predict",
         {{"trace_inspect predict run.tfold", "on the recorded network, at its best"},
          {"trace_inspect predict run.tfold --network infiniband --network ethernet",
           "two networks side by side"},
          {"trace_inspect predict run.tfold --latency 2us --per-byte 0.1ns --faster 'solve*=2'",
           "a custom network, and the gain of faster code"}}},
        {"io",
         {{"trace_inspect io run.tfold", "data read and written, by file"},
          {"trace_inspect io run.tfold --by rank --csv", "by rank, as a table"}}},
        {"explain",
         {{"trace_inspect explain run.tfold", "most costly cause first, with its gain"},
          {"trace_inspect explain run.tfold --json", "the same for programs, with all numbers"}}},
        {"efficiency",
         {{"trace_inspect efficiency run.tfold", "load balance, transfer, waits of ranks"},
          {"trace_inspect efficiency run.tfold --csv", "the same as a table"}}},
        {"stats",
         {{"trace_inspect stats run.tfold", "count, bytes and time by function"},
          {"trace_inspect stats run.tfold --match 'MPI_All*' --over ranks",
           "distribution of these calls over ranks"},
          {"mpirun -n 4 trace_inspect stats run.tfold --histogram 'MPI_All*' --over-time",
           "distribution of their times over ranks and iterations; in four processes"}}},
        {"classes",
         {{"trace_inspect classes run.tfold --by script", "ranks with the same control flow"},
          {"trace_inspect classes run.tfold --by regions='solve*'",
           "ranks that enter these regions equally often"},
          {"trace_inspect classes run.tfold --per-iteration",
           "changes of classes from iteration to iteration"}}},
        {"report",
         {{"trace_inspect report run.tfold -o run.html", "all results on one page"},
          {"mpirun -n 4 trace_inspect report run.tfold -o run.html -f",
           "in four processes; overwrites the earlier page"}}},
        {"serve",
         {{"trace_inspect serve run.tfold", "an interactive page; prints its address"},
          {"trace_inspect serve old.tfold new.tfold --port 8080", "two runs side by side"}}},
        {"list",
         {{"trace_inspect list .", "all traces below a folder, a line each"},
          {"trace_inspect list . --where 'ranks>=64 and program~lulesh' --sort duration",
           "the runs of a program on many ranks, shortest first"},
          {"trace_inspect list . --like run.tfold --csv", "nearest structures, as a table"},
          {"trace_inspect list . --deep --where 'efficiency<50%'",
           "with steps and efficiency, which are computed once"}}}};
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
