// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/path_walk.hpp"

#include "file/call_names.hpp"
#include "file/region_stack.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>

namespace tracefold {

PathWalk::PathWalk(TraceFile& file, u32 location, u32 number, Times times, CallTree& tree,
                   TraceThreads& threads)
    : stream_(file, location, times),
      number_(number),
      tree_(tree),
      stack_(tree, &threads.regions, file.definitions().locations()[location].is_stream()),
      teams_(threads.forks) {}

bool PathWalk::next() {
    while (record_ == stream_.records().size()) {
        record_ = 0;
        if (!stream_.next()) return false;
    }
    ++record_;
    take();
    return true;
}

u32 PathWalk::next_mpi_call() {
    bool was_in_call = in_call_of_location();
    while (next()) {
        if (in_call_of_location() && !was_in_call) return here();
        was_in_call = in_call_of_location();
    }
    return kNone;
}

void PathWalk::take() {
    step_ = Step::other;
    if (is_enter(head().type)) {
        const CallReader::Region region = stream_.region(record_ - 1);
        stack_.enter_region(region.id, region.is_mpi, next_order());
        region_ = region.id;
        step_ = Step::entered;
    } else if (is_leave(head().type)) {
        region_ = stream_.region(record_ - 1).id;
        stack_.leave(region_);
        step_ = Step::left;
    } else {
        take_other();
    }
}

void PathWalk::take_other() {
    const auto type = static_cast<EventType>(head().type);
    if (const TaskChange* const change = stream_.task_change(record_ - 1)) {
        stack_.change_task(*change, next_order());
    } else if (type == EventType::ProgramBegin) {
        stack_.enter(CallTree::Kind::program, tables().global(FieldKind::string, values()[0]),
                     next_order());
    } else if (type == EventType::ProgramEnd) {
        stack_.clear();
    } else if (changes_thread_place(head().type)) {
        stack_.change(teams_.follow(head().type, values(), tables(), here()));
    }
}

namespace {

/// The node of the program around all regions in which a location first calls MPI.
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

MpiCallNodes::MpiCallNodes(TraceFile& file, u32 location, u32 number, CallTree& tree,
                           TraceThreads& threads)
    : tree_(tree), number_(number), program_(program_of(file, location, number, tree, threads)) {}

u32 MpiCallNodes::of(u64 region) {
    if (region >= nodes_.size()) nodes_.resize(region + 1, kNone);
    u32& node = nodes_[region];
    if (node == kNone) {
        node = tree_.add(program_, CallTree::Kind::region, region,
                         CallTree::call_order(number_, tree_.size()));
    }
    return node;
}

MpiCallPaths::MpiCallPaths(TraceFile& file, u32 location, u32 number, CallTree& tree,
                           TraceThreads& threads) {
    if (has_mpi_regions_only(file, location)) {
        nodes_.emplace(file, location, number, tree, threads);
    } else {
        walk_.emplace(file, location, number, Times::skip, tree, threads);
    }
}

}  // namespace tracefold
