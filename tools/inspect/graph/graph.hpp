// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file.hpp"
#include "base/types.hpp"
#include "common/console.hpp"
#include "common/part_options.hpp"
#include "common/run_tool.hpp"
#include "file/call_names.hpp"
#include "file/trace_file.hpp"
#include "model/participant_names.hpp"
#include "questions/graph/flow_view.hpp"
#include "questions/graph/signature_source.hpp"
#include "questions/graph/write_graph.hpp"
#include "questions/structure/structure_listing.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// What a graph can be written as. Pictures are drawn by Graphviz.
enum class GraphFormat : u8 { dot, graphml, json, svg, png, pdf, ps, eps };

/// The words of --format, which are the endings of files as well, and what they mean.
const OptionWords<GraphFormat>& graph_formats();

/// True for what Graphviz draws.
constexpr bool is_drawn(GraphFormat format) { return format >= GraphFormat::svg; }

/// The format that the name of a file asks for; standard output ("-") gets DOT. Throws
/// Error(usage) if its ending is unknown.
GraphFormat format_of_file(const std::string& path);

/// What the words of --signature stand for, separated by commas; the call itself always counts.
/// Throws UnknownWord.
void parse_signature(const std::string& text, SignatureParts& parts);

/// Some of a file's locations.
struct FlowSelection {
    RankList ranks;
    std::optional<u32> flow_class;  ///< of those with the same graph
};

/// The event flow graph of a file, with what is needed to name things in it.
class LoadedGraph {
  public:
    /// With `times` the file's exact times are read, by `threads` as for add_exact_times(). The
    /// file must outlive this object. Throws Error.
    LoadedGraph(TraceFile& file, const std::string& path, const FlowSelection& selection,
                const SignatureParts& parts, bool times, u32 threads = 0);

    [[nodiscard]] const FlowGraph& graph() const { return graph_; }
    FlowGraph& graph() { return graph_; }
    [[nodiscard]] const ParticipantNames& names() const { return names_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] TraceFile& file() const { return file_; }
    ListingSource& source() { return source_; }
    SignatureSource& signatures() { return signatures_; }

    /// Locations in the graph, in rising order.
    [[nodiscard]] const std::vector<u32>& locations() const { return locations_; }
    [[nodiscard]] bool has_times() const { return has_times_; }
    [[nodiscard]] double seconds(double ticks) const { return rate_.seconds(ticks); }

    /// What a call of this name has to do with an accelerator, at this location.
    [[nodiscard]] AcceleratorUse accelerator_use(const std::string& name, u32 location) const;

    /// "to rank+1", "64 B".
    [[nodiscard]] std::vector<std::string> argument_list(const FlowNode& node) const;
    /// The call with its arguments; full_text() with its path too.
    [[nodiscard]] std::string text(const FlowNode& node) const;
    [[nodiscard]] std::string full_text(const FlowNode& node) const;
    [[nodiscard]] std::string argument(const FlowNode& node,
                                       const SignatureArgument& argument) const;

  private:
    void select(const FlowSelection& selection);

    std::string path_;
    TraceFile& file_;
    ListingSource source_;
    ParticipantNames names_;
    SignatureSource signatures_;
    std::unordered_map<std::string, u64> regions_;  ///< by name
    FlowGraph graph_;
    std::vector<u32> locations_;
    bool has_times_ = false;
    TickRate rate_;
};

/// What the number of a call's argument is.
ValueRole role_of(const SignatureArgument& argument);

/// The arguments of calls that are told of together: "to rank+{-1,+1}", "64 B".
std::vector<std::string> joint_arguments(const LoadedGraph& loaded,
                                         const std::vector<FlowVertex>& nodes);

/// What becomes one node.
struct GraphCollapse {
    bool calls = false;        ///< calls alike, see join_calls()
    bool chains = false;       ///< calls that always follow each other
    std::optional<u32> loops;  ///< loops from this depth on
};

/// Makes a graph small enough to be looked at, and says how it looks.
struct GraphView {
    /// Nothing: calls and chains, in pictures that would be confusing without that.
    std::optional<GraphCollapse> collapse;
    std::size_t top = 0;  ///< most nodes to show; 0: all
    DotClusters clusters = DotClusters::loops;
};

/// Where a graph goes.
struct GraphTarget {
    GraphFormat format = GraphFormat::dot;
    std::string path = "-";  ///< "-": standard output
    bool force = false;
};

/// Labels for people: names, arguments, counts per location and times.
GraphTexts graph_texts(const LoadedGraph& loaded, const FlowView& view);

/// The file that a graph goes to, before anything is worked out for it; none for standard output.
/// Throws Error as AtomicFile does; usage if a picture would go to standard output.
std::optional<AtomicFile> open_graph_file(const GraphTarget& target);

/// Writes the graph to standard output, as text or JSON.
void print_graph(const LoadedGraph& loaded, const GraphView& view, GraphFormat format,
                 Console& console);

/// Draws or writes the graph into `file`, and commits it. Throws Error: io; unsupported if a
/// picture is wanted and Graphviz is not there.
void write_graph(const LoadedGraph& loaded, const GraphView& view, const GraphTarget& target,
                 AtomicFile& file, Console& console);

/// Prints the figures of the graph beside those of the trace.
void print_graph_statistics(LoadedGraph& loaded, Console& console);

/// Prints the graph of every rank for itself, with the tuples of the paper (see rank_graph()).
void print_graph_tuples(const LoadedGraph& loaded, Console& console);

/// Prints what is not the same in two graphs.
ExitCode print_graph_diff(const LoadedGraph& a, const LoadedGraph& b, double tolerance,
                          Console& console);

/// Writes the graph as one JSON object (docs/reference/graphs.md).
void write_graph_json(const LoadedGraph& loaded, const FlowGraph& view, std::ostream& out,
                      JsonLayout layout);

}  // namespace tracefold
