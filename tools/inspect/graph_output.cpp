// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
#include "core/error.hpp"
#include "graph/contract_graph.hpp"
#include "graph/write_graphml.hpp"
#include "inspect/graph.hpp"
#include "io/file.hpp"

#include <cstdio>
#include <memory>
#include <sstream>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {

namespace {

FlowGraph view_of(const LoadedGraph& loaded, const GraphView& view) {
    FlowGraph graph = loaded.graph();
    if (view.collapse) {
        graph = contract(graph, collapse_loops(graph, find_loops(graph), *view.collapse));
    }
    if (view.top != 0) graph = contract(graph, keep_top(graph, view.top));
    return graph;
}

void write_text(const LoadedGraph& loaded, const GraphView& wanted, GraphFormat format,
                std::ostream& out, JsonLayout layout) {
    const FlowGraph view = view_of(loaded, wanted);
    if (format == GraphFormat::json) return write_graph_json(loaded, view, out, layout);
    const GraphTexts texts = graph_texts(loaded, view);
    if (format == GraphFormat::graphml) return write_graphml(view, texts, loaded.seconds(1), out);
    write_dot(view, texts, wanted.clusters, out);
}

/// Runs Graphviz' dot, which reads INPUT and writes the picture to PATH.
void run_dot(const std::string& input, const char* format, const std::string& path) {
    const auto close = [](std::FILE* file) { return std::fclose(file); };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), close);
    const bool written = file &&
                         std::fwrite(input.data(), 1, input.size(), file.get()) == input.size() &&
                         std::fflush(file.get()) == 0;
    if (!written) throw Error(ErrorKind::io, "there is no room for a temporary file");
    std::rewind(file.get());
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(file.get()), STDIN_FILENO);
    std::string words[] = {"dot", std::string("-T") + format, "-o", path};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                         nullptr};
    pid_t child = 0;
    const int failed = posix_spawnp(&child, "dot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        throw Error(ErrorKind::unsupported,
                    "pictures need the program dot of Graphviz, which is not installed; write a "
                    ".dot file instead");
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
        throw Error(ErrorKind::io, "the program dot could not draw the graph");
    }
}

}  // namespace

void write_graph(const LoadedGraph& loaded, const GraphView& view, const GraphTarget& target,
                 Console& console) {
    const bool picture = target.format == GraphFormat::svg || target.format == GraphFormat::png;
    if (target.path == "-" && !picture) {
        return write_text(loaded, view, target.format, console.out(), console.json_layout());
    }
    if (target.path == "-") {
        throw Error(ErrorKind::usage, "a picture needs a file; name it with -o");
    }
    AtomicFile file(target.path, target.force);
    std::ostringstream text;
    write_text(loaded, view, target.format, text, JsonLayout::one_line);
    if (picture) {
        const char* format = target.format == GraphFormat::svg ? "svg" : "png";
        run_dot(text.str(), format, file.temporary_path().string());
    } else {
        file.write(text.str());
    }
    file.commit();
    const FlowStatistics figures = statistics_of(loaded.graph());
    console.summary(target.path + ": " + std::to_string(figures.nodes) + " nodes, " +
                    std::to_string(figures.edges) + " edges");
}

}  // namespace tracefold
