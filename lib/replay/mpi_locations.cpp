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

Calls calls_of(TraceFile& file, u32 location) {
    Calls calls;
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return calls;
    const MappingTables tables = file.mapping_tables(location);
    CallRecipes recipes(file, tables);
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        const bool has_part =
            std::ranges::any_of(file.structure().symbols[symbol].elements, is_part);
        for (const ElementRecipe& element : recipes[symbol].elements) {
            calls.lacks_collective =
                calls.lacks_collective || (!has_part && is_collective(element));
            calls.any = calls.any || element.is_mpi;
            if (!element.is_mpi) continue;
            calls.init = calls.init || element.info.family == CallFamily::init;
            calls.matched_receive =
                calls.matched_receive || element.info.family == CallFamily::matched_receive;
        }
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
