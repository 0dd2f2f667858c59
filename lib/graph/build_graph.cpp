// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/build_graph.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

void add_use(FlowEdge& edge, FlowUse use) {
    for (FlowUse& known : edge.uses) {
        if (known.count != use.count || known.sequence != use.sequence) continue;
        known.participants.unite(use.participants);
        return;
    }
    edge.uses.push_back(std::move(use));
}

void widen(TickSummary& summary, const TickSummary& seen) {
    summary.minimum = std::min(summary.minimum, seen.minimum);
    summary.maximum = std::max(summary.maximum, seen.maximum);
}

using Use = ExecutionCounts::Use;

/// A constant column is the number it consists of.
Use plain(const Structure& structure, Use use) {
    if (use.column != kNone && structure.columns[use.column].form == Column::Form::constant) {
        use = {kNone, structure.columns[use.column].start, use.size};
    }
    return use;
}

FlowProgram program_of(ListingSource& source, const SignatureSource& signatures, u32 location) {
    const Structure& structure = source.structure();
    FlowProgram program;
    program.rule = source.nesting().leave_rule(location);
    program.script = &structure.scripts[source.index().script(Stream::events, location)];
    program.pattern = &structure.patterns[program.script->pattern];
    for (u32 node = 0; node < program.pattern->node_count(); ++node) {
        program.counts.push_back(plain(structure, source.counts().count(location, node)));
    }
    for (const u32 symbol : program.script->symbols) {
        std::vector<Use>& slots = program.slots.emplace_back();
        for (const u32 slot : signatures.leaf(symbol).slots) {
            slots.push_back(plain(structure, source.counts().slot(symbol, slot, location)));
        }
    }
    return program;
}

/// Equal for locations with the same program.
std::vector<u64> key_of(const FlowProgram& program, u32 script) {
    std::vector<u64> key{script, static_cast<u64>(program.rule)};
    const auto add = [&key](const Use& use) {
        key.push_back(use.column);
        key.push_back(use.value);
    };
    for (const Use& use : program.counts) add(use);
    for (const std::vector<Use>& slots : program.slots) {
        for (const Use& use : slots) add(use);
    }
    return key;
}

}  // namespace

void GraphBuilder::add(const Choices& choices, const ParticipantList& members) {
    std::map<u32, const ChoiceList*> by_node;
    for (const auto& [from, list] : choices.lists()) by_node.emplace(from, &list);
    for (const auto& [from, list] : by_node) add_edges(from, *list, members);
}

void GraphBuilder::add_edges(u32 from, const ChoiceList& list, const ParticipantList& members) {
    const double locations = static_cast<double>(members.size());
    auto edges = list.edges();
    for (auto& [to, taken] : edges) {
        if (edges.size() == 1) taken.sequence.clear();
        FlowEdge& out = edge(from, to);
        const u64 all = taken.count * members.size();
        out.count += all;
        graph_[to].visits += all;
        graph_[to].participants.unite(members);
        if (timed_) {
            out.time.count += all;
            out.time.total += taken.ticks.between * locations;
            graph_[to].time.count += all;
            graph_[to].time.total += taken.ticks.within * locations;
        }
        add_use(out, {members, taken.count, std::move(taken.sequence)});
    }
}

FlowEdge& GraphBuilder::edge(u32 from, u32 to) {
    while (num_vertices(graph_) <= std::max(from, to)) add_vertex(graph_);
    auto known = edges_.find({from, to});
    if (known == edges_.end()) {
        known = edges_.emplace(std::pair(from, to), add_edge(from, to, graph_).first).first;
    }
    return graph_[known->second];
}

void GraphBuilder::add_extremes(const FlowWalker& walker) {
    for (const auto& [ends, seen] : walker.edge_times()) {
        widen(edge(ends.first, ends.second).time, seen);
    }
    for (const auto& [node, seen] : walker.node_times()) widen(graph_[node].time, seen);
}

FlowGraph GraphBuilder::finish(const SignatureTable& table) {
    for (FlowVertex v = 0; v < num_vertices(graph_); ++v) {
        graph_[v].signature = table.at(static_cast<u32>(v));
    }
    graph_[boost::graph_bundle].paths = table.paths();
    return std::move(graph_);
}

std::vector<ParticipantList> flow_classes(ListingSource& source, const SignatureSource& signatures,
                                          const std::vector<bool>& selected) {
    std::map<std::vector<u64>, std::size_t> known;
    std::vector<ParticipantList> classes;
    for (u32 location = 0; location < source.structure().location_count; ++location) {
        const u32 script = source.index().script(Stream::events, location);
        if (script == kNone || !selected[location]) continue;
        const auto [found, fresh] =
            known.emplace(key_of(program_of(source, signatures, location), script), classes.size());
        if (fresh) classes.emplace_back();
        classes[found->second].add(location);
    }
    return classes;
}

FlowGraph build_graph(TraceFile& file, ListingSource& source, SignatureSource& signatures,
                      std::vector<ParticipantList> classes) {
    const bool timed = file.summary().timing == TimingLevel::histogram;
    GraphBuilder builder(timed);
    for (const ParticipantList& members : classes) {
        const FlowProgram program = program_of(source, signatures, members.first());
        std::optional<ModelTimes> times;
        if (timed) times.emplace(file.durations(), members.members());
        FlowWalker walker(source.index().source(), program, signatures, times ? &*times : nullptr);
        builder.add(walker.run(), members);
        builder.add_extremes(walker);
    }
    FlowGraph graph = builder.finish(signatures.table());
    graph[boost::graph_bundle].classes = std::move(classes);
    return graph;
}

}  // namespace tracefold
