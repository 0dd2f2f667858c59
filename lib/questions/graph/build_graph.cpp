// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/build_graph.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

/// Loops with fewer iterations are executed one by one.
constexpr u64 kFewTrips = 4;

}  // namespace

FlowWalker::FlowWalker(const FoldedSource& folded, const FlowProgram& program,
                       FlowAlphabet& alphabet, FlowPosition start, const ModelTimes* times)
    : program_(program), alphabet_(alphabet), times_(times), position_(std::move(start)) {
    const auto add_cursor = [&](const ExecutionCounts::Use& use) {
        cursors_.push_back(ExecutionCounts::cursor(folded, use));
    };
    for (const ExecutionCounts::Use& use : program.counts) add_cursor(use);
    for (const std::vector<ExecutionCounts::Use>& slots : program.slots) {
        first_slot_.push_back(static_cast<u32>(cursors_.size()));
        for (const ExecutionCounts::Use& use : slots) add_cursor(use);
    }
    first_slot_.push_back(static_cast<u32>(cursors_.size()));
    cursors_of_.resize(program.pattern->node_count());
}

/// Cursors that an execution of the node advances: slots of leaves; counts and cursors of a body.
const std::vector<u32>& FlowWalker::cursors_of(u32 node) {
    std::vector<u32>& all = cursors_of_[node];
    if (!all.empty()) return all;
    const Pattern& pattern = *program_.pattern;
    std::vector<bool> seen(pattern.node_count(), false);
    for (std::vector<u32> open{node}; !open.empty();) {
        const u32 next = open.back();
        open.pop_back();
        if (next != node) all.push_back(next);
        if (next < pattern.leaf_count) {
            for (u32 i = first_slot_[next]; i < first_slot_[next + 1]; ++i) all.push_back(i);
            continue;
        }
        for (const u32 item : pattern.loops[next - pattern.leaf_count]) {
            if (!seen[item]) open.push_back(item);
            seen[item] = true;
        }
    }
    return all;
}

Choices FlowWalker::run() {
    Choices all;
    run_body(program_.pattern->root, all);
    all.add(last_, SignatureTable::kEnd, {});
    return all;
}

void FlowWalker::run_body(const std::vector<u32>& body, Choices& out) {
    for (const u32 item : body) run_node(item, out);
}

void FlowWalker::run_node(u32 node, Choices& out) {
    const u64 trips = checked_count(cursors_[node].next());
    if (trips >= kFewTrips && !position_.calls) return iterate(node, trips, out);
    for (u64 trip = 0; trip < trips; ++trip) run_once(node, out);
}

/// Brent's cycle detection: compares states with one that advances at powers of two.
void FlowWalker::iterate(u32 node, u64 trips, Choices& out) {
    Choices since_mark;
    CursorState mark;
    CursorState now;
    save(node, mark);
    u64 marked = 0;
    u64 patience = 1;
    for (u64 done = 0; done < trips;) {
        run_once(node, since_mark);
        if (++done == trips) break;
        now.clear();
        save(node, now);
        const u64 length = done - marked;
        const u64 times = std::min(now.repeats_since(mark), (trips - done) / length);
        if (times == 0 && length < patience) continue;
        patience *= 2;
        if (times != 0) {
            now.go_on(mark, times);
            restore(node, now);
            since_mark.repeat(times + 1);
            done += times * length;
            patience = 1;
        }
        out.add(std::exchange(since_mark, {}));
        std::swap(mark, now);
        marked = done;
    }
    out.add(std::move(since_mark));
}

void FlowWalker::run_once(u32 node, Choices& out) {
    const Pattern& pattern = *program_.pattern;
    if (node < pattern.leaf_count) return execute(node, out);
    run_body(pattern.loops[node - pattern.leaf_count], out);
}

void FlowWalker::execute(u32 leaf, Choices& out) {
    const u32 symbol = program_.script->symbols[leaf];
    values_.clear();
    for (u32 i = first_slot_[leaf]; i < first_slot_[leaf + 1]; ++i) {
        values_.push_back(cursors_[i].next());
    }
    const u32 node = alphabet_.step(symbol, values_, position_);
    const EdgeTicks ticks = times_ == nullptr ? EdgeTicks{} : pass(symbol, node);
    if (node == kNone) return;
    out.add(last_, node, ticks);
    last_ = node;
}

/// Returns the time of the edge to `node` and of the call; kNone: adds both to the pending edge.
EdgeTicks FlowWalker::pass(u32 symbol, u32 node) {
    const auto add_way = [this](const TickSummary& step) {
        way_.total += step.total;
        way_.minimum += step.minimum;
        way_.maximum += step.maximum;
    };
    if (last_symbol_ != kNone) add_way(times_->between(last_symbol_, symbol));
    last_symbol_ = symbol;
    const TickSummary within = times_->within(symbol);
    if (node == kNone) {
        add_way(within);
        return {};
    }
    const EdgeTicks ticks{way_.total, within.total};
    edge_times_[{last_, node}].add(way_);
    node_times_[node].add(within);
    way_ = {1, 0, 0, 0};
    return ticks;
}

void FlowWalker::save(u32 node, CursorState& state) {
    state.add(last_);
    state.add(position_.path());
    state.add(position_.context);
    if (times_ != nullptr) state.add(last_symbol_);
    for (const u32 cursor : cursors_of(node)) cursors_[cursor].save(state);
}

void FlowWalker::restore(u32 node, CursorState& state) {
    for (const u32 cursor : cursors_of(node)) cursors_[cursor].restore(state);
}

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

FlowProgram program_of(ListingSource& source, const SignatureSource& signatures, u32 location) {
    const Structure& structure = source.structure();
    const auto plain = [columns = source.index().source()](const Use& use) {
        return ExecutionCounts::plain(columns, use);
    };
    FlowProgram program;
    program.script = &structure.scripts[source.index().script(Stream::events, location)];
    program.pattern = &structure.patterns[program.script->pattern];
    for (u32 node = 0; node < program.pattern->node_count(); ++node) {
        program.counts.push_back(plain(source.counts().count(location, node)));
    }
    for (const u32 symbol : program.script->symbols) {
        std::vector<Use>& slots = program.slots.emplace_back();
        for (const u32 slot : signatures.leaf(symbol).slots) {
            slots.push_back(plain(source.counts().slot(symbol, slot, location)));
        }
    }
    return program;
}

/// A key that locations with the same program and the same changes of tasks share.
std::vector<u64> key_of(const Structure& structure, const FlowProgram& program, u32 script,
                        u32 location) {
    const bool has_tasks = std::ranges::any_of(program.script->symbols, [&](u32 symbol) {
        return std::ranges::any_of(structure.symbols[symbol].elements, changes_task,
                                   &Element::type);
    });
    std::vector<u64> key{script, has_tasks ? location : kNone};
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
        const auto [found, fresh] = known.emplace(
            key_of(source.structure(), program_of(source, signatures, location), script, location),
            classes.size());
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
        FlowWalker walker(source.index().source(), program, signatures,
                          signatures.start(members.first()), times ? &*times : nullptr);
        builder.add(walker.run(), members);
        builder.add_extremes(walker);
    }
    FlowGraph graph = builder.finish(signatures.table());
    graph[boost::graph_bundle].classes = std::move(classes);
    return graph;
}

}  // namespace tracefold
