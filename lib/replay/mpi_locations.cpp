// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"
#include "replay/call_recipes.hpp"
#include "replay/mpi_call_reader.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

/// How a location's script calls MPI.
struct Calls {
    bool any = false;
    bool init = false;
    bool matched_receive = false;
    bool lacks_collective = false;
    bool bare_creation = false;  ///< of a communicator, without a record
};

bool is_part(const Element& element) {
    return element.type == static_cast<u8>(EventType::MpiCollectiveEnd) ||
           element.type == static_cast<u8>(EventType::NonBlockingCollectiveRequest);
}

bool enters_collective(const ElementRecipe& element) {
    return element.kind == ElementRecipe::Kind::enter && is_collective(element.info.family);
}

/// What the records of one symbol call. Those of one call may be in several, which does no harm.
void add_symbol(const Symbol& symbol, const CallRecipe& recipe, Calls& calls) {
    const bool has_part = std::ranges::any_of(symbol.elements, is_part);
    bool creates = false;
    bool records = false;
    for (const ElementRecipe& element : recipe.elements) {
        calls.lacks_collective =
            calls.lacks_collective || (!has_part && enters_collective(element));
        records = records || element.kind == ElementRecipe::Kind::traffic;
        calls.any = calls.any || element.is_mpi;
        if (!element.is_mpi) continue;
        const CallFamily family = element.info.family;
        calls.init = calls.init || family == CallFamily::init;
        calls.matched_receive = calls.matched_receive || family == CallFamily::matched_receive;
        creates = creates || family == CallFamily::comm_create;
    }
    calls.bare_creation = calls.bare_creation || (creates && !records);
}

Calls calls_of(TraceFile& file, u32 location) {
    Calls calls;
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return calls;
    const MappingTables tables = file.mapping_tables(location);
    CallRecipes recipes(file, tables);
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        add_symbol(file.structure().symbols[symbol], recipes[symbol], calls);
    }
    return calls;
}

}  // namespace

std::vector<u32> mpi_locations(TraceFile& file, u32 world_rank) {
    const DefinitionIndex& definitions = file.definitions();
    const std::vector<u32>& all = definitions.locations_of_rank(world_rank);
    if (all.empty()) {
        throw Error(ErrorKind::corrupt, "MPI rank " + std::to_string(world_rank) + " is " +
                                            definitions.definition_of_rank(world_rank) +
                                            ", of which the trace defines no location, so that "
                                            "nothing is known of what the rank did");
    }
    std::vector<u32> found;
    std::vector<u32> others;
    for (const u32 location : all) {
        const Calls calls = calls_of(file, location);
        const bool stands = location == all.front() && !definitions.ranks_are_groups();
        if (calls.init || stands) {
            found.insert(calls.init ? found.begin() : found.end(), location);
        } else if (calls.any) {
            others.push_back(location);
        }
    }
    found.insert(found.end(), others.begin(), others.end());
    if (found.empty()) found.push_back(all.front());
    return found;
}

bool has_matched_receives(TraceFile& file) {
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (calls_of(file, location).matched_receive) return true;
    }
    return false;
}

bool may_lack_collectives(TraceFile& file) {
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (calls_of(file, location).lacks_collective) return true;
    }
    return false;
}

bool misses_creations(TraceFile& file) {
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (calls_of(file, location).bare_creation) return true;
    }
    return false;
}

bool calls_mpi_from_threads(TraceFile& file) {
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        if (file.definitions().locations_of_rank(rank).empty()) continue;
        if (mpi_locations(file, rank).size() > 1) return true;
    }
    return false;
}

}  // namespace tracefold
