// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/suggest.hpp"
#include "common/text.hpp"
#include "core/error.hpp"
#include "graph/write_graphml.hpp"
#include "inspect/graph/graph.hpp"

#include <filesystem>
#include <memory>
#include <sstream>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {

namespace {

/// Pictures with more edges than this are made smaller unless somebody says what to collapse.
constexpr std::size_t kMostPlainEdges = 40;
/// If there are still more nodes than these, only the most important ones are shown.
constexpr std::size_t kMostNodes = 60;
constexpr std::size_t kTopNodes = 30;

bool is_picture(GraphFormat format) {
    return format != GraphFormat::json && format != GraphFormat::graphml;
}

GraphCollapse collapse_of(const LoadedGraph& loaded, const GraphView& wanted, GraphFormat format) {
    if (wanted.collapse) return *wanted.collapse;
    const bool large = is_picture(format) && num_edges(loaded.graph()) > kMostPlainEdges;
    return {large, large, std::nullopt};
}

/// 0: all.
std::size_t top_of(const FlowView& view, const GraphView& wanted, GraphFormat format) {
    if (wanted.top != 0) return wanted.top;
    const bool large = is_picture(format) && num_vertices(view.graph) > kMostNodes;
    return large && !wanted.collapse ? kTopNodes : 0;
}

FlowView view_of(const LoadedGraph& loaded, const GraphView& wanted, GraphFormat format) {
    const GraphCollapse collapse = collapse_of(loaded, wanted, format);
    FlowView view = whole_view(loaded.graph());
    if (collapse.loops) view = collapse_loops(view, *collapse.loops);
    if (collapse.calls) view = join_calls(view);
    if (const std::size_t top = top_of(view, wanted, format)) view = keep_top(view, top);
    if (collapse.chains) view = join_chains(view);
    return view;
}

void write_text(const LoadedGraph& loaded, const GraphView& wanted, GraphFormat format,
                std::ostream& out, JsonLayout layout) {
    const FlowView view = view_of(loaded, wanted, format);
    if (format == GraphFormat::json) return write_graph_json(loaded, view.graph, out, layout);
    const GraphTexts texts = graph_texts(loaded, view);
    if (format == GraphFormat::graphml) {
        return write_graphml(view.graph, texts, loaded.seconds(1), out);
    }
    write_dot(view, texts, wanted.clusters, out);
}

using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

TemporaryFile temporary_file() {
    const auto close = [](std::FILE* file) { return std::fclose(file); };
    TemporaryFile file(std::tmpfile(), close);
    if (!file) throw Error(ErrorKind::io, "there is no room for a temporary file");
    return file;
}

TemporaryFile temporary_file(const std::string& content) {
    TemporaryFile file = temporary_file();
    if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0) {
        throw Error(ErrorKind::io, "there is no room for a temporary file");
    }
    std::rewind(file.get());
    return file;
}

std::string content_of(std::FILE* file) {
    std::rewind(file);
    std::string content;
    char piece[65536];
    while (const std::size_t size = std::fread(piece, 1, sizeof piece, file)) {
        content.append(piece, size);
    }
    return content;
}

/// Starts a program between two open files; false if there is no such program.
bool run_program(char* const* words, std::FILE* in, std::FILE* out) {
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return false;
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
        throw Error(ErrorKind::io, "the program {} could not draw the graph", words[0]);
    }
    return true;
}

/// What Graphviz' dot makes of a text.
std::string picture_of(const std::string& text, GraphFormat format) {
    const TemporaryFile in = temporary_file(text);
    const TemporaryFile out = temporary_file();
    std::string words[] = {"dot", "-T" + word_of(graph_formats(), format)};
    char* arguments[] = {words[0].data(), words[1].data(), nullptr};
    if (!run_program(arguments, in.get(), out.get())) {
        throw Error(ErrorKind::unsupported,
                    "pictures need the program dot of Graphviz, which is not installed; write a "
                    ".dot file instead");
    }
    return content_of(out.get());
}

void tell_what_was_written(const LoadedGraph& loaded, const GraphTarget& target, u64 bytes,
                           Console& console) {
    const FlowStatistics figures = statistics_of(loaded.graph());
    if (!console.json()) {
        console.summary(
            fmt::format("{}: {} nodes, {} edges", target.path, figures.nodes, figures.edges));
        return;
    }
    JsonWriter json = begin_document(console, "graph_file");
    json.member("file", loaded.path())
        .member("output", target.path)
        .member("format", word_of(graph_formats(), target.format))
        .member("bytes", bytes)
        .member("nodes", figures.nodes)
        .member("edges", figures.edges)
        .end_object();
}

}  // namespace

std::optional<AtomicFile> open_graph_file(const GraphTarget& target) {
    if (target.path != "-")
        return std::optional<AtomicFile>(std::in_place, target.path, target.force);
    if (is_drawn(target.format)) {
        throw Error(ErrorKind::usage, "a picture needs a file; name it with -o");
    }
    return std::nullopt;
}

void print_graph(const LoadedGraph& loaded, const GraphView& view, GraphFormat format,
                 Console& console) {
    write_text(loaded, view, format, console.out(), console.json_layout());
}

void write_graph(const LoadedGraph& loaded, const GraphView& view, const GraphTarget& target,
                 AtomicFile& file, Console& console) {
    std::ostringstream text;
    write_text(loaded, view, target.format, text, JsonLayout::one_line);
    const bool picture = is_drawn(target.format);
    file.write(picture ? picture_of(text.str(), target.format) : text.str());
    file.commit();
    tell_what_was_written(loaded, target, file.size(), console);
}

const OptionWords<GraphFormat>& graph_formats() {
    static const OptionWords<GraphFormat> formats = {
        {"dot", GraphFormat::dot}, {"graphml", GraphFormat::graphml}, {"json", GraphFormat::json},
        {"svg", GraphFormat::svg}, {"png", GraphFormat::png},         {"pdf", GraphFormat::pdf},
        {"ps", GraphFormat::ps},   {"eps", GraphFormat::eps}};
    return formats;
}

GraphFormat format_of_file(const std::string& path) {
    if (path == "-") return GraphFormat::dot;
    const std::string ending = std::filesystem::path(path).extension().string();
    std::vector<std::string> endings;
    for (const auto& [word, format] : graph_formats()) {
        if (ending == "." + word) return format;
        endings.push_back("." + word);
    }
    if (ending == ".gv") return GraphFormat::dot;
    std::string advice = suggestion(ending, endings);
    if (advice.empty()) advice = "choose one with --format";
    throw Error(ErrorKind::usage, "{} ends in none of {}; {}", path,
                CLI::detail::join(endings, " "), advice);
}

}  // namespace tracefold
