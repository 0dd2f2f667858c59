// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/build_graph.hpp"

#include "graph/flow_walker.hpp"
#include "graph/graph_builder.hpp"

#include <map>
#include <optional>
#include <utility>

namespace tracefold::inline graph {

namespace {

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
    std::vector<u64> key{script};
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

}  // namespace tracefold::inline graph
