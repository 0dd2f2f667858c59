// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"
#include "replay/call_recipes.hpp"
#include "replay/rank_program.hpp"

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

bool is_collective(const ElementRecipe& element) {
    return element.kind == ElementRecipe::Kind::enter &&
           (element.info.family == CallFamily::collective ||
            element.info.family == CallFamily::post_collective);
}

/// What the records of one symbol call. Those of one call may be in several, which does no harm.
void add_symbol(const Symbol& symbol, const CallRecipe& recipe, Calls& calls) {
    const bool has_part = std::ranges::any_of(symbol.elements, is_part);
    bool creates = false;
    bool records = false;
    for (const ElementRecipe& element : recipe.elements) {
        calls.lacks_collective = calls.lacks_collective || (!has_part && is_collective(element));
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
    const std::vector<LocationDefinition>& all = file.definitions().locations();
    const u64 known = file.definitions().world()[world_rank];
    std::vector<u32> found;
    std::vector<u32> others;
    for (u32 location = 0; location < all.size(); ++location) {
        if (file.definitions().world_rank(all[location]) != world_rank) continue;
        const Calls calls = calls_of(file, location);
        if (calls.init || all[location].id == known) {
            found.insert(calls.init ? found.begin() : found.end(), location);
        } else if (calls.any) {
            others.push_back(location);
        }
    }
    if (found.empty()) {
        throw Error(ErrorKind::corrupt, "location " + std::to_string(known) + ", MPI rank " +
                                            std::to_string(world_rank) + ", is not defined");
    }
    found.insert(found.end(), others.begin(), others.end());
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
    const std::vector<LocationDefinition>& all = file.definitions().locations();
    for (u32 location = 0; location < all.size(); ++location) {
        const std::optional<u32> rank = file.definitions().world_rank(all[location]);
        if (!rank || all[location].id == file.definitions().world()[*rank]) continue;
        if (calls_of(file, location).any) return true;
    }
    return false;
}

}  // namespace tracefold
