// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_index.hpp"

#include "core/error.hpp"

namespace tracefold {

StructureIndex::StructureIndex(const Structure& structure)
    : structure_(structure),
      symbol_positions_(structure.symbols.size()),
      script_positions_(structure.scripts.size()),
      scripts_of_symbol_(structure.symbols.size()) {
    for (std::size_t i = 0; i < structure.symbols.size(); ++i) {
        slots_.push_back(slots_of(structure.symbol_streams[i], structure.symbols[i]));
    }
    for (u32 script = 0; script < structure.scripts.size(); ++script) {
        for (const u32 symbol : structure.scripts[script].symbols) {
            scripts_of_symbol_[symbol].push_back(script);
        }
    }
    for (const u32 column : structure.script_of) {
        std::vector<u32> scripts;
        for (const u64 id : unwind(source(), column, structure.location_count)) {
            if (id > structure.scripts.size()) {
                throw Error(ErrorKind::corrupt, "a location names a script that does not exist");
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

u32 StructureIndex::choose(const Assignment& assignment, const std::vector<u32>& positions,
                           u32 location) {
    if (assignment.columns.size() == 1) return assignment.columns[0];
    const u32 position = positions[location];
    const u64 index = position == kNone ? kNone : unwound(assignment.classes, position + 1)[position];
    if (index >= assignment.columns.size()) {
        throw Error(ErrorKind::corrupt, "a location has no column for one of its arguments");
    }
    return assignment.columns[index];
}

u32 StructureIndex::slot_column(u32 symbol, u32 slot, u32 location) {
    return choose(structure_.slots[symbol][slot], positions_of_symbol(symbol), location);
}

u32 StructureIndex::count_column(u32 script, u32 node, u32 location) {
    return choose(structure_.script_counts[script][node], positions_of_script(script), location);
}

std::vector<ParticipantList> StructureIndex::classes(const Assignment& assignment,
                                                     const ParticipantList& all) {
    std::vector<ParticipantList> lists(assignment.columns.size());
    const std::vector<u32> members = all.members();
    const std::vector<u64>& index = unwound(assignment.classes, members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (index[i] < lists.size()) lists[index[i]].add(members[i]);
    }
    return lists;
}

}  // namespace tracefold
