// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/flow_walker.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Fewer iterations than this are gone through one by one.
constexpr u64 kFewTrips = 4;

}  // namespace

FlowWalker::FlowWalker(const FoldedSource& folded, const FlowProgram& program,
                       FlowAlphabet& alphabet, const ModelTimes* times)
    : program_(program), alphabet_(alphabet), times_(times) {
    position_.rule = program.rule;
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

/// Those that an execution of the node moves: slots of leaves, counts and cursors of what is in a
/// loop.
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
    if (trips >= kFewTrips) return iterate(node, trips, out);
    for (u64 trip = 0; trip < trips; ++trip) run_once(node, out);
}

/// Brent's way of finding a cycle: every state is compared with one remembered state, which moves
/// forward at powers of two.
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

/// Time goes on with a symbol: to the next node, or (kNone) on the way there.
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
    state.add(position_.path);
    state.add(position_.context);
    if (times_ != nullptr) state.add(last_symbol_);
    for (const u32 cursor : cursors_of(node)) cursors_[cursor].save(state);
}

void FlowWalker::restore(u32 node, CursorState& state) {
    for (const u32 cursor : cursors_of(node)) cursors_[cursor].restore(state);
}

}  // namespace tracefold
