// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_index.hpp"

#include "core/error.hpp"

#include <map>

namespace tracefold {

namespace {

[[noreturn]] void no_column() {
    throw Error(ErrorKind::corrupt, "a location has no column for one of its arguments");
}

}  // namespace

StructureIndex::StructureIndex(const Structure& structure)
    : structure_(structure),
      scripts_of_symbol_(structure.symbols.size()),
      symbol_positions_(structure.symbols.size()),
      script_positions_(structure.scripts.size()) {
    for (std::size_t i = 0; i < structure.symbols.size(); ++i) {
        slots_.push_back(slots_of(structure.symbol_streams[i], structure.symbols[i]));
    }
    for (u32 script = 0; script < structure.scripts.size(); ++script) {
        for (const u32 symbol : structure.scripts[script].symbols) {
            scripts_of_symbol_[symbol].push_back(script);
        }
    }
    for (std::size_t stream = 0; stream < structure.script_of.size(); ++stream) {
        const u32 column = structure.script_of[stream];
        std::vector<u32> scripts;
        for (const u64 id : unwind(source(), column, structure.location_count)) {
            if (id > structure.scripts.size()) {
                throw Error(ErrorKind::corrupt, "a location names a script that does not exist");
            }
            if (id != 0 && structure.scripts[id - 1].stream != static_cast<Stream>(stream)) {
                throw Error(ErrorKind::corrupt, "a location names a script of another stream");
            }
            scripts.push_back(id == 0 ? kNone : static_cast<u32>(id - 1));
        }
        script_of_.push_back(std::move(scripts));
    }
}

u32 StructureIndex::script(Stream stream, u32 location) const {
    return script_of_[static_cast<std::size_t>(stream)][location];
}

ParticipantList StructureIndex::participants_of_script(u32 script) const {
    const auto& scripts = script_of_[static_cast<std::size_t>(structure_.scripts[script].stream)];
    std::vector<u32> members;
    for (u32 location = 0; location < scripts.size(); ++location) {
        if (scripts[location] == script) members.push_back(location);
    }
    return ParticipantList(std::move(members));
}

ParticipantList StructureIndex::participants_of_symbol(u32 symbol) const {
    ParticipantList all;
    for (const u32 script : scripts_of_symbol_[symbol]) all.unite(participants_of_script(script));
    return all;
}

std::vector<u32> StructureIndex::positions(const ParticipantList& list) const {
    std::vector<u32> position(structure_.location_count, kNone);
    u32 next = 0;
    for (const u32 member : list.members()) position[member] = next++;
    return position;
}

const std::vector<u32>& StructureIndex::positions_of_symbol(u32 symbol) {
    std::vector<u32>& cached = symbol_positions_[symbol];
    if (cached.empty()) cached = positions(participants_of_symbol(symbol));
    return cached;
}

const std::vector<u32>& StructureIndex::positions_of_script(u32 script) {
    std::vector<u32>& cached = script_positions_[script];
    if (cached.empty()) cached = positions(participants_of_script(script));
    return cached;
}

const std::vector<u64>& StructureIndex::unwound(u32 column, std::size_t size) {
    std::vector<u64>& values = unwound_[column];
    if (values.size() < size) values = unwind(source(), column, size);
    return values;
}

ColumnCursor StructureIndex::shared(const Assignment& assignment) const {
    if (assignment.is_always_one()) return ColumnCursor::constant(1);
    return {source(), assignment.columns[0]};
}

ColumnCursor StructureIndex::choose(const Assignment& assignment, const std::vector<u32>& positions,
                                    u32 location) {
    const u32 position = positions[location];
    if (position == kNone) no_column();
    const u64 value = unwound(assignment.by_participant, position + 1)[position];
    if (assignment.columns.empty()) return ColumnCursor::constant(value);
    if (value >= assignment.columns.size() || assignment.columns[value] == kNone) no_column();
    return {source(), assignment.columns[value]};
}

ColumnCursor StructureIndex::slot_cursor(u32 symbol, u32 slot, u32 location) {
    const Assignment& assignment = structure_.slots[symbol][slot];
    // Positions cost a look at all locations, and most arguments are the same for all.
    if (assignment.by_participant == kNone) return shared(assignment);
    const std::scoped_lock lock(mutex_);
    return choose(assignment, positions_of_symbol(symbol), location);
}

ColumnCursor StructureIndex::count_cursor(u32 script, u32 node, u32 location) {
    const Assignment& assignment = structure_.script_counts[script][node];
    if (assignment.by_participant == kNone) return shared(assignment);
    const std::scoped_lock lock(mutex_);
    return choose(assignment, positions_of_script(script), location);
}

LocationFacts StructureIndex::facts(u32 location) {
    std::array<u64, LocationFacts::kFields> fields{};
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < structure_.facts.size(); ++i) {
        fields[i] = unwound(structure_.facts[i], structure_.location_count)[location];
    }
    return LocationFacts::from_array(fields);
}

std::vector<StructureIndex::Class> StructureIndex::classes(const Assignment& assignment,
                                                           const ParticipantList& all) {
    if (assignment.is_always_one()) return {{kNone, 1, all}};
    if (assignment.by_participant == kNone) return {{assignment.columns[0], 0, all}};
    const std::vector<u32> members = all.members();
    const std::scoped_lock lock(mutex_);
    const std::vector<u64>& values = unwound(assignment.by_participant, members.size());
    std::map<u64, std::size_t> index_of;
    std::vector<Class> classes;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto [found, fresh] = index_of.emplace(values[i], classes.size());
        if (fresh) {
            const bool constants = assignment.columns.empty();
            if (!constants && (values[i] >= assignment.columns.size() ||
                               assignment.columns[values[i]] == kNone)) {
                no_column();
            }
            classes.push_back(constants ? Class{kNone, values[i], {}}
                                        : Class{assignment.columns[values[i]], 0, {}});
        }
        classes[found->second].participants.add(members[i]);
    }
    return classes;
}

}  // namespace tracefold
