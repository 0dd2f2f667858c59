// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/table.hpp"
#include "common/units.hpp"
#include "graph/graph_diff.hpp"
#include "inspect/graph/graph.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Counts what is written to it.
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
    write_graph_json(loaded, loaded.graph(), out, JsonLayout::one_line);
    return buffer.size();
}

/// "12 / rank", "-": not there.
std::string count_text(const DiffFigures& figures) {
    if (!figures.exists) return "-";
    const std::string count = fmt::format("{:.2f}", figures.count);
    return count.ends_with(".00") ? count.substr(0, count.size() - 3) : count;
}

std::string time_text(const DiffFigures& figures) {
    return figures.exists && figures.timed ? format_time(figures.mean) : "-";
}

std::string_view status_of(const FlowDifference& difference) {
    if (!difference.b.exists) return "only in the first";
    if (!difference.a.exists) return "only in the second";
    if (difference.a.count != difference.b.count) return "other count";
    return difference.order ? "other order" : "other time";
}

void add_rows(const std::vector<FlowDifference>& differences, Table& table) {
    for (const FlowDifference& item : differences) {
        table.add_row({std::string(status_of(item)),
                       item.from + (item.to.empty() ? "" : " -> " + item.to), count_text(item.a),
                       count_text(item.b), time_text(item.a), time_text(item.b)});
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
    Table table({{""}, {""}});
    table.add_row({"locations", fmt::format("{} in {} classes with the same graph",
                                            loaded.locations().size(), classes)});
    table.add_row({"events", std::to_string(figures.events)});
    table.add_row({"nodes", fmt::format("{}, {} of them branch", figures.nodes, figures.branches)});
    table.add_row({"edges", fmt::format("{} with {} tuples", figures.edges, figures.tuples)});
    table.add_row({"cardinality", fmt::format("{:.2f} edges out of a node, at most {}",
                                              figures.mean_cardinality(), figures.cardinality)});
    table.add_row({"trace", format_size(trace)});
    table.add_row({"graph", fmt::format("{} as JSON, 1/{:.1f}", format_size(graph), ratio)});
    table.print(console.out());
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
        Table table({{"what"},
                     {"event or transition"},
                     {"first", kRight},
                     {"second", kRight},
                     {"mean", kRight},
                     {"mean", kRight}});
        add_rows(diff.nodes, table);
        add_rows(diff.edges, table);
        table.print(console.out());
    }
    console.summary(diff.empty() ? "the graphs are the same"
                                 : fmt::format("{} nodes and {} edges differ", diff.nodes.size(),
                                               diff.edges.size()));
    return diff.empty() ? exit_ok : exit_mismatch;
}

}  // namespace tracefold
