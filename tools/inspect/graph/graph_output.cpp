// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/error.hpp"
#include "base/text_stream.hpp"
#include "common/command_line.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/graph/graph.hpp"
#include "questions/graph/graph_diff.hpp"
#include "questions/graph/recover.hpp"
#include "questions/graph/write_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {

namespace {

/// Pictures with more edges are simplified by default.
constexpr std::size_t kMostPlainEdges = 40;
/// If more nodes remain, only the most important ones are shown.
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
    if (format == GraphFormat::json) return write_graph_json(loaded, view, out, layout);
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
    if (!file) throw Error(ErrorKind::io, "cannot create a temporary file");
    return file;
}

TemporaryFile temporary_file(const std::string& content) {
    TemporaryFile file = temporary_file();
    if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0) {
        throw Error(ErrorKind::io, "cannot create a temporary file");
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

/// Runs a program between two open files; false if it does not exist.
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

/// Runs Graphviz' dot on a text.
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
        console.summary(fmt::format("{}: {}, {}", target.path,
                                    format_counted(figures.nodes, "node"),
                                    format_counted(figures.edges, "edge")));
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
    TextStream text;
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
    throw Error(ErrorKind::usage, "{} has none of the suffixes {}; {}", path,
                CLI::detail::join(endings, " "), advice);
}

namespace {

/// Counts the bytes written to it.
class CountingBuffer : public std::streambuf {
  public:
    [[nodiscard]] u64 size() const { return size_; }

  protected:
    int overflow(int character) override {
        ++size_;
        return character;
    }
    std::streamsize xsputn(const char* /*bytes*/, std::streamsize count) override {
        size_ += static_cast<u64>(count);
        return count;
    }

  private:
    u64 size_ = 0;
};

u64 json_bytes(const LoadedGraph& loaded) {
    CountingBuffer buffer;
    std::ostream out(&buffer);
    write_graph_json(loaded, whole_view(loaded.graph()), out, JsonLayout::one_line);
    return buffer.size();
}

/// "12 / rank"; "-": missing.
std::string count_text(const DiffFigures& figures) {
    if (!figures.exists) return "-";
    const std::string count = fmt::format("{:.2f}", figures.count);
    return count.ends_with(".00") ? count.substr(0, count.size() - 3) : count;
}

std::string time_text(const DiffFigures& figures) {
    return figures.exists && figures.timed ? format_time(figures.mean) : "-";
}

std::string_view status_of(const FlowDifference& difference) {
    if (!difference.b.exists) return "only first";
    if (!difference.a.exists) return "only second";
    if (difference.a.count != difference.b.count) return "count";
    return difference.order ? "order" : "time";
}

/// Without the communicator of most calls, which hides what tells them apart.
std::string short_event(std::string text) {
    for (const std::string_view world : {", comm MPI_COMM_WORLD", "comm MPI_COMM_WORLD, "}) {
        const std::size_t at = text.find(world);
        if (at != std::string::npos) return text.erase(at, world.size());
    }
    const std::size_t alone = text.find(" (comm MPI_COMM_WORLD)");
    return alone == std::string::npos ? text : text.substr(0, alone);
}

void add_rows(const std::vector<FlowDifference>& differences, Table& table) {
    for (const FlowDifference& item : differences) {
        table.add_row(
            {std::string(status_of(item)), count_text(item.a), count_text(item.b),
             time_text(item.a), time_text(item.b),
             short_event(item.from) + (item.to.empty() ? "" : " -> " + short_event(item.to))});
    }
}

void write_figures(std::string_view key, const DiffFigures& figures, JsonWriter& json) {
    if (!figures.exists) return;
    json.key(key).begin_object().member("count", figures.count);
    if (figures.timed) json.member("mean", figures.mean);
    json.end_object();
}

void write_differences(std::string_view key, const std::vector<FlowDifference>& differences,
                       JsonWriter& json) {
    write_objects(key, differences, json, [&](const FlowDifference& item) {
        json.member(item.to.empty() ? "name" : "from", item.from);
        if (!item.to.empty()) json.member("to", item.to).member("other_order", item.order);
        write_figures("first", item.a, json);
        write_figures("second", item.b, json);
    });
}

ComparedGraph side_of(const LoadedGraph& loaded) {
    return {loaded.graph(), [&loaded](FlowVertex v) { return loaded.full_text(loaded.graph()[v]); },
            std::max<u64>(1, loaded.locations().size()), loaded.seconds(1)};
}

}  // namespace

void print_graph_statistics(LoadedGraph& loaded, Console& console) {
    const FlowStatistics figures = statistics_of(loaded.graph());
    const u64 trace = loaded.file().summary().archive_bytes;
    const u64 graph = json_bytes(loaded);
    const auto ratio = static_cast<double>(trace) / static_cast<double>(graph);
    const std::size_t classes = loaded.graph()[boost::graph_bundle].classes.size();
    if (console.json()) {
        JsonWriter json = begin_document(console, "graph_statistics");
        json.member("file", loaded.path())
            .member("locations", loaded.locations().size())
            .member("classes", classes)
            .member("events", figures.events)
            .member("nodes", figures.nodes)
            .member("edges", figures.edges)
            .member("branch_nodes", figures.branches)
            .member("mean_cardinality", figures.mean_cardinality())
            .member("maximum_cardinality", figures.cardinality)
            .member("tuples", figures.tuples)
            .member("trace_bytes", trace)
            .member("graph_bytes", graph)
            .end_object();
        return;
    }
    Table table({{""}, {"", kSentence}});
    table.add_row(
        {"locations", fmt::format("{} in {} with the same graph", loaded.locations().size(),
                                  format_counted(classes, "class"))});
    table.add_row({"events", std::to_string(figures.events)});
    table.add_row({"nodes", fmt::format("{}, {} of them branch", figures.nodes, figures.branches)});
    table.add_row({"edges", fmt::format("{} with {} tuples", figures.edges, figures.tuples)});
    table.add_row({"cardinality", fmt::format("{:.2f} edges out of a node, at most {}",
                                              figures.mean_cardinality(), figures.cardinality)});
    table.add_row({"trace", format_size(trace)});
    table.add_row({"graph", fmt::format("{} as JSON, 1/{:.1f}", format_size(graph), ratio)});
    table.print(console);
}

ExitCode print_graph_diff(const LoadedGraph& a, const LoadedGraph& b, double tolerance,
                          Console& console) {
    const FlowDiff diff = diff_graphs(side_of(a), side_of(b), tolerance);
    if (console.json()) {
        JsonWriter json = begin_document(console, "graph_difference");
        json.member("first", a.path()).member("second", b.path());
        write_differences("nodes", diff.nodes, json);
        write_differences("edges", diff.edges, json);
        json.end_object();
    } else if (!diff.empty()) {
        Table table({{"difference"},
                     {"first", kRight},
                     {"second", kRight},
                     {"mean", kRight, 1},
                     {"mean", kRight, 1},
                     {"event or transition", kSentence}});
        add_rows(diff.nodes, table);
        add_rows(diff.edges, table);
        table.print(console);
    }
    console.summary(diff.empty() ? "the graphs are the same"
                                 : fmt::format("different: {}, {}",
                                               format_counted(diff.nodes.size(), "node"),
                                               format_counted(diff.edges.size(), "edge")));
    return diff.empty() ? exit_ok : exit_mismatch;
}

namespace {

/// Numbers of the nodes in a rank's graph, from 1, by vertex.
std::vector<std::size_t> numbers_of(const RankGraph& graph, std::size_t vertices) {
    std::vector<std::size_t> numbers(vertices, 0);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) numbers[graph.nodes[i]] = i + 1;
    return numbers;
}

/// Labels of the paper: "10": single exit, "3,10": one position, "<1,5,2,10>": several.
std::string label_of(const RankEdge& edge) {
    if (!edge.tuple) return std::to_string(edge.count);
    const RunTuple& t = *edge.tuple;
    if (t.stride == 0) return fmt::format("{},{}", t.first, t.count);
    return fmt::format("<{},{},{},{}>", t.first, t.last, t.stride, t.count);
}

/// "rank 3"; "@7" outside of MPI.
std::string rank_text(const std::string& label) {
    return label.starts_with('@') ? label : "rank " + label;
}

void print_graph(const LoadedGraph& loaded, const RankGraph& graph, const std::string& label,
                 std::ostream& out) {
    out << fmt::format("{}: {}, {}, {} event{}, cardinality {:.2f}\n", label,
                       format_counted(graph.nodes.size(), "node"),
                       format_counted(graph.edges.size(), "edge"), graph.events,
                       graph.events == 1 ? "" : "s", graph.mean_cardinality());
    const auto numbers = numbers_of(graph, num_vertices(loaded.graph()));
    for (const FlowVertex node : graph.nodes) {
        out << numbers[node] << ' ' << printable(loaded.full_text(loaded.graph()[node])) << '\n';
    }
    for (const RankEdge& edge : graph.edges) {
        out << numbers[edge.from] << " -> " << numbers[edge.to] << ' ' << label_of(edge) << '\n';
    }
}

void write_rank_graph(const LoadedGraph& loaded, const RankGraph& graph, u32 location,
                      JsonWriter& json) {
    json.begin_object()
        .member("location", location)
        .member("label", loaded.names().label(location));
    json.member("events", graph.events).member("cardinality", graph.mean_cardinality());
    json.key("nodes").begin_array();
    for (const FlowVertex node : graph.nodes) json.value(loaded.full_text(loaded.graph()[node]));
    json.end_array().key("edges").begin_array();
    const auto numbers = numbers_of(graph, num_vertices(loaded.graph()));
    for (const RankEdge& edge : graph.edges) {
        json.begin_object().member("from", numbers[edge.from] - 1);
        json.member("to", numbers[edge.to] - 1).member("count", edge.count);
        if (edge.tuple) {
            json.key("tuple").begin_array().value(edge.tuple->first).value(edge.tuple->last);
            json.value(edge.tuple->stride).value(edge.tuple->count).end_array();
        }
        json.end_object();
    }
    json.end_array().end_object();
}

}  // namespace

void print_graph_tuples(const LoadedGraph& loaded, Console& console) {
    if (!console.json()) {
        for (const u32 location : loaded.locations()) {
            print_graph(loaded, rank_graph(loaded.graph(), location),
                        rank_text(loaded.names().label(location)), console.text());
        }
        return;
    }
    JsonWriter json = begin_document(console, "graph_tuples");
    json.member("file", loaded.path());
    json.key("graphs").begin_array();
    for (const u32 location : loaded.locations()) {
        write_rank_graph(loaded, rank_graph(loaded.graph(), location), location, json);
    }
    json.end_array().end_object();
}

}  // namespace tracefold
