// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/computation_paths.hpp"

#include "model/record_kinds.hpp"
#include "trace/region_stack.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// The node of the program around all regions, which a location is in when it calls MPI first.
u32 program_of(TraceFile& file, u32 location, u32 number, CallTree& tree, TraceThreads& threads) {
    PathWalk walk(file, location, number, Times::skip, tree, threads);
    u32 program = kNone;
    while (walk.next() && !walk.in_mpi_call()) program = walk.here();
    return program;
}

bool enters_mpi_only(TraceFile& file, const MappingTables& tables, const Symbol& symbol) {
    return std::ranges::all_of(symbol.elements, [&](const Element& element) {
        if (changes_thread_place(element.type)) return false;
        if (!is_enter(element.type)) return true;
        const FieldKind kind = event_info(element.type).fields[0].kind;
        const DefinitionIndex& definitions = file.definitions();
        return is_mpi_function(
            definitions, definitions.region_of(kind, tables.global_of_code(kind, element.context)));
    });
}

}  // namespace

bool has_mpi_regions_only(TraceFile& file, u32 location) {
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return false;
    const MappingTables tables = file.mapping_tables(location);
    return std::ranges::all_of(file.structure().scripts[script].symbols, [&](u32 symbol) {
        return enters_mpi_only(file, tables, file.structure().symbols[symbol]);
    });
}

ComputationPaths::ComputationPaths(TraceFile& file, u32 location, u32 number, CallTree& tree,
                                   TraceThreads& threads)
    : tree_(tree), number_(number) {
    if (has_mpi_regions_only(file, location)) {
        here_ = program_of(file, location, number, tree, threads);
    } else {
        walk_.emplace(file, location, number, Times::read, tree, threads);
    }
}

const ComputationPaths::Call& ComputationPaths::next(const MpiCall& call) {
    if (walk_) return next_of_walk();
    if (started_ && call.begin > last_) add(here_, call.begin - last_);
    started_ = true;
    last_ = call.end;
    return call_ = {node_of(call.region), call.begin, std::max(call.begin, call.end)};
}

u32 ComputationPaths::node_of(u64 region) {
    if (region >= nodes_.size()) nodes_.resize(region + 1, kNone);
    u32& node = nodes_[region];
    if (node == kNone) {
        node = tree_.add(here_, CallTree::Kind::region, region,
                         CallTree::call_order(number_, tree_.size()));
    }
    return node;
}

const ComputationPaths::Call& ComputationPaths::next_of_walk() {
    if (!seek(true)) return call_ = {};
    call_ = {here_, last_, last_};
    seek(false);
    call_.end = std::max(call_.begin, last_);
    return call_;
}

bool ComputationPaths::seek(bool in_call) {
    while (walk_->next()) {
        const u64 time = walk_->head().time;
        if (in_call && started_ && time > last_) add(here_, time - last_);
        started_ = true;
        last_ = time;
        here_ = walk_->here();
        if (walk_->in_mpi_call() == in_call) return true;
    }
    return false;
}

void ComputationPaths::add(u32 node, u64 ticks) {
    const std::size_t place = node == kNone ? 0 : std::size_t{node} + 1;
    if (place >= part_of_.size()) part_of_.resize(place + 1, kNone);
    if (part_of_[place] == kNone) {
        part_of_[place] = static_cast<u32>(parts_.size());
        parts_.push_back({node, 0});
    }
    parts_[part_of_[place]].ticks += ticks;
}

void ComputationPaths::clear() {
    for (const Part& part : parts_) part_of_[part.node == kNone ? 0 : part.node + 1] = kNone;
    parts_.clear();
}

}  // namespace tracefold
