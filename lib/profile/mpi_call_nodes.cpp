// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/mpi_call_nodes.hpp"

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
