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

/// Output formats of a graph. Graphviz draws pictures.
enum class GraphFormat : u8 { dot, graphml, json, svg, png, pdf, ps, eps };

/// Words of --format, which are also file suffixes.
const OptionWords<GraphFormat>& graph_formats();

/// True for formats that Graphviz draws.
constexpr bool is_drawn(GraphFormat format) { return format >= GraphFormat::svg; }

/// The format of a file suffix; DOT for "-". Throws Error(usage) for an unknown suffix.
GraphFormat format_of_file(const std::string& path);

/// Parses --signature, words separated by commas; the call always counts. Throws UnknownWord.
void parse_signature(const std::string& text, SignatureParts& parts);

/// A selection of locations.
struct FlowSelection {
    RankList ranks;
    std::optional<u32> flow_class;  ///< class of locations with the same graph
};

/// The event flow graph of a file, with the names of its parts.
class LoadedGraph {
  public:
    /// `times`: reads the file's exact times, with `threads` as for add_exact_times(). The file
    /// must outlive this object. Throws Error.
    LoadedGraph(TraceFile& file, const std::string& path, const FlowSelection& selection,
                const SignatureParts& parts, bool times, u32 threads = 0);

    [[nodiscard]] const FlowGraph& graph() const { return graph_; }
    FlowGraph& graph() { return graph_; }
    [[nodiscard]] const ParticipantNames& names() const { return names_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] TraceFile& file() const { return file_; }
    ListingSource& source() { return source_; }
    SignatureSource& signatures() { return signatures_; }

    /// Locations in the graph, ascending.
    [[nodiscard]] const std::vector<u32>& locations() const { return locations_; }
    [[nodiscard]] bool has_times() const { return has_times_; }
    [[nodiscard]] double seconds(double ticks) const { return rate_.seconds(ticks); }

    /// The accelerator use of a call of this name on this location.
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
    mutable ListingSource source_;  ///< looks names up when they are needed
    ParticipantNames names_;
    SignatureSource signatures_;
    std::unordered_map<std::string, u64> regions_;  ///< by name
    FlowGraph graph_;
    std::vector<u32> locations_;
    bool has_times_ = false;
    TickRate rate_;
};

ValueRole role_of(const SignatureArgument& argument);

/// Combined arguments of several calls: "to rank+{-1,+1}", "64 B".
std::vector<std::string> joint_arguments(const LoadedGraph& loaded,
                                         const std::vector<FlowVertex>& nodes);

/// Which nodes to contract.
struct GraphCollapse {
    bool calls = false;        ///< similar calls, see join_calls()
    bool chains = false;       ///< chains of calls, see join_chains()
    std::optional<u32> loops;  ///< loops of at least this depth
};

/// Simplification and appearance of a graph.
struct GraphView {
    /// Unset: calls and chains, for pictures that would be confusing otherwise.
    std::optional<GraphCollapse> collapse;
    std::size_t top = 0;  ///< maximum number of nodes; 0: all
    DotClusters clusters = DotClusters::loops;
};

struct GraphTarget {
    GraphFormat format = GraphFormat::dot;
    std::string path = "-";  ///< "-": standard output
    bool force = false;
};

/// Labels for display: names, arguments, counts per location and times.
GraphTexts graph_texts(const LoadedGraph& loaded, const FlowView& view);

/// Opens the output file before any work; none for standard output. Throws Error as AtomicFile
/// does; usage for a picture on standard output.
std::optional<AtomicFile> open_graph_file(const GraphTarget& target);

/// Writes the graph to standard output, as text or JSON.
void print_graph(const LoadedGraph& loaded, const GraphView& view, GraphFormat format,
                 Console& console);

/// Draws or writes the graph into `file` and commits it. Throws Error: io; unsupported for a
/// picture without Graphviz.
void write_graph(const LoadedGraph& loaded, const GraphView& view, const GraphTarget& target,
                 AtomicFile& file, Console& console);

/// Prints figures of the graph and of the trace.
void print_graph_statistics(LoadedGraph& loaded, Console& console);

/// Prints the graph of each rank, with the tuples of the paper (see rank_graph()).
void print_graph_tuples(const LoadedGraph& loaded, Console& console);

ExitCode print_graph_diff(const LoadedGraph& a, const LoadedGraph& b, double tolerance,
                          Console& console);

/// Writes the graph as one JSON object (docs/reference/graphs.md).
void write_graph_json(const LoadedGraph& loaded, const FlowView& view, std::ostream& out,
                      JsonLayout layout);

}  // namespace tracefold
