// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/graph/graph.hpp"

#include "base/error.hpp"
#include "common/command_line.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "questions/graph/recover.hpp"

#include <algorithm>
#include <memory>

namespace tracefold {

namespace {

enum class GraphTask : u8 { write, stats, recover, tuples, verify };

struct GraphArguments {
    TraceInput input;
    FlowSelection selection;
    std::string other_file;
    FlowSelection other;
    SignatureParts parts;
    bool times = false;
    double tolerance = 0.25;
    GraphTask task = GraphTask::write;
    GraphView view;
    GraphTarget target;
    bool format_given = false;

    [[nodiscard]] bool compares() const {
        return !other_file.empty() || !other.ranks.selects_all() || other.flow_class;
    }
};

GraphCollapse parse_collapse(const std::string& text) {
    GraphCollapse out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string item = text.substr(begin, end - begin);
        begin = end + 1;
        if (item == "calls") {
            out.calls = true;
        } else if (item == "chains") {
            out.chains = true;
        } else if (item == "loops" || item.starts_with("loops=")) {
            u32 depth = 0;
            const std::string number = item == "loops" ? "0" : item.substr(6);
            if (!CLI::detail::lexical_cast(number, depth)) {
                throw CLI::ValidationError("'" + item + "' is not a number of loops");
            }
            out.loops = depth;
        } else if (item != "none") {
            throw UnknownWord(item, {"calls", "chains", "loops", "loops=N", "none"});
        }
    }
    return out;
}

void print_sequences(const LoadedGraph& loaded, Console& console) {
    std::vector<std::string> lines;
    for (FlowVertex v = 0; v < num_vertices(loaded.graph()); ++v) {
        lines.push_back(printable(loaded.text(loaded.graph()[v])) + "\n");
    }
    for (const u32 location : loaded.locations()) {
        const std::string label = printable(loaded.names().label(location));
        recover(loaded.graph(), location,
                [&](FlowVertex node) { console.text() << label << ' ' << lines[node]; });
    }
}

ExitCode verify(LoadedGraph& loaded, Console& console) {
    u64 different = 0;
    for (const u32 location : loaded.locations()) {
        const auto place =
            first_difference(loaded.graph(), loaded.source(), loaded.signatures(), location);
        if (!place) continue;
        ++different;
        console.text() << printable(loaded.names().label(location)) << ": differs from event "
                       << *place << " on\n";
    }
    const std::size_t all = loaded.locations().size();
    console.summary(fmt::format("{} of {} recovered from the graph {} of the trace: {}",
                                all - different, format_counted(all, "sequence"),
                                all == 1 ? "is that" : "are those",
                                format_counted(statistics_of(loaded.graph()).events, "event")));
    return different == 0 ? exit_ok : exit_mismatch;
}

/// The trace, and the one it is compared with, if any.
std::vector<TraceInput> inputs_of(const GraphArguments& arguments) {
    std::vector<TraceInput> inputs{arguments.input};
    if (arguments.other_file.empty()) return inputs;
    inputs.push_back(arguments.input);
    inputs.back().path = arguments.other_file;
    return inputs;
}

LoadedGraph load(FoldedInput& input, const std::string& path, const FlowSelection& selection,
                 const GraphArguments& arguments) {
    return {input.file(),           path, selection, arguments.parts, arguments.times,
            arguments.input.threads};
}

/// With --json and no output file, the graph goes to standard output as JSON.
GraphTarget target_of(const GraphArguments& arguments, const Console& console) {
    GraphTarget target = arguments.target;
    if (arguments.format_given) return target;
    const bool print = target.path == "-" && console.json();
    target.format = print ? GraphFormat::json : format_of_file(target.path);
    return target;
}

ExitCode run_task(LoadedGraph& loaded, GraphTask task, Console& console) {
    switch (task) {
        case GraphTask::recover:
            print_sequences(loaded, console);
            return exit_ok;
        case GraphTask::tuples:
            print_graph_tuples(loaded, console);
            return exit_ok;
        case GraphTask::verify:
            return verify(loaded, console);
        default:
            print_graph_statistics(loaded, console);
            return exit_ok;
    }
}

ExitCode run(const GraphArguments& arguments, Console& console) {
    const std::vector<TraceInput> inputs = inputs_of(arguments);
    const std::vector<std::unique_ptr<FoldedInput>> opened = open_all(inputs, console);
    const bool writes = !arguments.compares() && arguments.task == GraphTask::write;
    const GraphTarget target = target_of(arguments, console);
    std::optional<AtomicFile> file = writes ? open_graph_file(target) : std::nullopt;
    LoadedGraph loaded = load(*opened.front(), inputs.front().path, arguments.selection, arguments);
    if (arguments.compares()) {
        const LoadedGraph other =
            load(*opened.back(), inputs.back().path, arguments.other, arguments);
        return print_graph_diff(loaded, other, arguments.tolerance, console);
    }
    if (!writes) return run_task(loaded, arguments.task, console);
    if (file) {
        write_graph(loaded, arguments.view, target, *file, console);
    } else {
        print_graph(loaded, arguments.view, target.format, console);
    }
    return exit_ok;
}

void add_selection(CLI::App& app, const std::string& prefix, FlowSelection& selection,
                   const std::string& whose) {
    app.add_option_function<std::string>(
           "--" + prefix + "ranks",
           [&selection](const std::string& text) { selection.ranks = RankList::parse(text); },
           "Only these ranks" + whose + ", as in 0-15,64")
        ->type_name("LIST");
    app.add_option_function<u32>(
           "--" + prefix + "class", [&selection](u32 number) { selection.flow_class = number; },
           "Only this class of ranks with the same graph" + whose)
        ->type_name("N");
}

void add_contents(CLI::App& app, GraphArguments& arguments) {
    app.add_option_function<std::string>(
           "--signature",
           [&arguments](const std::string& text) { parse_signature(text, arguments.parts); },
           "Properties that distinguish events: some of call,peer,size,comm,tag,path,context,site "
           "(default: call,peer,size,comm,path)")
        ->type_name("LIST");
    app.add_flag("--regions", arguments.parts.regions,
                 "Enters and leaves of regions are events, too");
    app.add_flag("--times", arguments.times, "Use exact times, which unfolds the trace");
}

void add_view(CLI::App& app, GraphArguments& arguments) {
    app.add_option_function<std::string>(
           "--collapse",
           [&arguments](const std::string& text) {
               arguments.view.collapse = parse_collapse(text);
           },
           "Events to merge into one node: some of calls (similar ones), chains (of calls), loops "
           "or loops=N (those in N loops or more), or none (default: calls,chains for large "
           "pictures)")
        ->type_name("LIST");
    app.add_option_function<std::size_t>(
           "--top", [&arguments](std::size_t most) { arguments.view.top = most; },
           "Show the N nodes with most time or visits, the rest joined; 0: all (default: 30 if a "
           "picture would still have more than 60)")
        ->type_name("N");
    add_choice<DotClusters>(
        app, "--cluster", arguments.view.clusters,
        {{"loops", DotClusters::loops}, {"paths", DotClusters::paths}, {"none", DotClusters::none}},
        "Draw boxes around");
}

void add_tasks(CLI::App& app, GraphArguments& arguments) {
    const auto add = [&](const std::string& name, GraphTask task, const std::string& description) {
        app.add_flag_function(
            name, [&arguments, task](std::int64_t) { arguments.task = task; }, description);
    };
    add("--stats", GraphTask::stats, "Nodes, edges, cardinality, and size compared with the trace");
    add("--recover", GraphTask::recover,
        "List the events of every rank in order, from the graph alone");
    add("--tuples", GraphTask::tuples,
        "List the graph of every rank: at branches <first,last,stride,count> of the runs in which "
        "an edge is taken");
    add("--verify", GraphTask::verify,
        "Compare these with the trace; exit with code 3 if they differ");
    app.add_option("--diff", arguments.other_file,
                   "Compare with the graph of another folded file or archive")
        ->type_name("FILE");
    add_selection(app, "diff-", arguments.other, " in the graph to compare with");
    app.add_option("--tolerance", arguments.tolerance,
                   "Relative difference at which times count as equal")
        ->capture_default_str()
        ->type_name("R");
}

void add_target(CLI::App& app, GraphArguments& arguments) {
    app.add_option("-o,--output", arguments.target.path,
                   "File to write (default: -, standard output); its suffix selects the format: "
                   ".dot, .graphml, .json, or a picture by Graphviz: .svg, .png, .pdf, .ps, .eps")
        ->type_name("PATH");
    add_choice<GraphFormat>(app, "--format", arguments.target.format, graph_formats(),
                            "Format to write")
        ->each([&arguments](const std::string&) { arguments.format_given = true; });
    app.add_flag("-f,--force", arguments.target.force, "Overwrite the file");
}

}  // namespace

InspectCommand add_graph_command(CLI::App& app) {
    auto arguments = std::make_shared<GraphArguments>();
    CLI::App* graph = app.add_subcommand("graph", "The event flow graph: which call follows which");
    arguments->input.add_options(*graph);
    arguments->input.add_threads(*graph, "read exact times");
    add_selection(*graph, "", arguments->selection, "");
    add_contents(*graph, *arguments);
    add_view(*graph, *arguments);
    add_tasks(*graph, *arguments);
    add_target(*graph, *arguments);
    return {graph, on_rank_zero([arguments](Console& console) {
                try {
                    return run(*arguments, console);
                } catch (const Error& error) {
                    if (error.kind() == ErrorKind::corrupt) throw error.in(arguments->input.path);
                    throw;
                }
            }),
            &arguments->input};
}

}  // namespace tracefold
