// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_index.hpp"

#include "base/error.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

[[noreturn]] void no_column() {
    throw Error(ErrorKind::corrupt, "a location has no column for one of its arguments");
}

}  // namespace

StructureIndex::StructureIndex(const Structure& structure)
    : structure_(structure), scripts_of_symbol_(structure.symbols.size()) {
    slots_.reserve(structure.symbols.size());
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
    std::vector<ParticipantList> participants(structure.scripts.size());
    for (const std::vector<u32>& scripts : script_of_) {
        for (u32 location = 0; location < scripts.size(); ++location) {
            if (scripts[location] != kNone) participants[scripts[location]].add(location);
        }
    }
    for (ParticipantList& list : participants) script_places_.emplace_back(std::move(list));
}

u32 StructureIndex::script(Stream stream, u32 location) const {
    return script_of_[static_cast<std::size_t>(stream)][location];
}

const ParticipantPlaces& StructureIndex::places_of_symbol(u32 symbol) {
    const std::vector<u32>& scripts = scripts_of_symbol_[symbol];
    if (scripts.size() == 1) return script_places_[scripts.front()];
    const std::scoped_lock lock(mutex_);
    const auto [known, fresh] = united_places_.try_emplace(scripts);
    if (fresh) {
        std::vector<u32> all;
        for (const u32 script : scripts) {
            const std::vector<u32> members = participants_of_script(script).members();
            all.insert(all.end(), members.begin(), members.end());
        }
        known->second = ParticipantPlaces(ParticipantList(std::move(all)));
    }
    return known->second;
}

const std::vector<u64>& StructureIndex::values(u32 class_column, u64 size) {
    const std::scoped_lock lock(mutex_);
    std::vector<u64>& values = values_[{class_column, size}];
    if (values.size() != size) values = unwind(source(), class_column, size);
    return values;
}

ColumnCursor StructureIndex::cursor(const Choice& choice) const {
    if (choice.column == kNone) return ColumnCursor::constant(choice.value);
    return {source(), choice.column};
}

StructureIndex::Choice StructureIndex::choose(const Assignment& assignment,
                                              const ParticipantPlaces& places, u32 location) {
    const u32 place = places.place(location);
    if (place == kNone) no_column();
    const u64 value = values(assignment.by_participant, places.size())[place];
    if (assignment.columns.empty()) return {kNone, value};
    if (value >= assignment.columns.size() || assignment.columns[value] == kNone) no_column();
    return {assignment.columns[value], 0};
}

namespace {

/// Of an assignment without classes.
StructureIndex::Choice shared(const Assignment& assignment) {
    if (assignment.is_always_one()) return {kNone, 1};
    return {assignment.columns[0], 0};
}

}  // namespace

StructureIndex::Choice StructureIndex::slot_choice(u32 symbol, u32 slot, u32 location) {
    const Assignment& assignment = structure_.slots[symbol][slot];
    if (assignment.by_participant == kNone) return shared(assignment);
    return choose(assignment, places_of_symbol(symbol), location);
}

StructureIndex::Choice StructureIndex::count_choice(u32 script, u32 node, u32 location) {
    const Assignment& assignment = structure_.script_counts[script][node];
    if (assignment.by_participant == kNone) return shared(assignment);
    return choose(assignment, script_places_[script], location);
}

ColumnCursor StructureIndex::slot_cursor(u32 symbol, u32 slot, u32 location) {
    return cursor(slot_choice(symbol, slot, location));
}

ColumnCursor StructureIndex::count_cursor(u32 script, u32 node, u32 location) {
    return cursor(count_choice(script, node, location));
}

LocationFacts StructureIndex::facts(u32 location) {
    std::array<u64, LocationFacts::kFields> fields{};
    for (std::size_t i = 0; i < structure_.facts.size(); ++i) {
        fields[i] = values(structure_.facts[i], structure_.location_count)[location];
    }
    return LocationFacts::from_array(fields);
}

std::vector<u64> StructureIndex::content_key(Stream stream, u32 location, u8 type) {
    const u32 number = script(stream, location);
    std::vector<u64> key{number};
    if (number == kNone) return key;
    const auto put = [&key](const Choice& choice) {
        key.push_back(choice.column);
        key.push_back(choice.value);
    };
    const std::vector<Assignment>& counts = structure_.script_counts[number];
    for (u32 node = 0; node < counts.size(); ++node) {
        if (counts[node].by_participant != kNone) put(count_choice(number, node, location));
    }
    for (const u32 symbol : structure_.scripts[number].symbols) {
        const auto& elements = structure_.symbols[symbol].elements;
        if (std::ranges::find(elements, type, &Element::type) == elements.end()) continue;
        const std::vector<Assignment>& slots = structure_.slots[symbol];
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            if (slots[slot].by_participant != kNone) put(slot_choice(symbol, slot, location));
        }
    }
    return key;
}

std::vector<StructureIndex::Class> StructureIndex::classes(const Assignment& assignment,
                                                           const ParticipantList& all) {
    if (assignment.is_always_one()) return {{{kNone, 1}, all}};
    if (assignment.by_participant == kNone) return {{{assignment.columns[0], 0}, all}};
    const std::vector<u32> members = all.members();
    const std::vector<u64>& values = this->values(assignment.by_participant, members.size());
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
            classes.push_back(constants ? Class{{kNone, values[i]}, {}}
                                        : Class{{assignment.columns[values[i]], 0}, {}});
        }
        classes[found->second].participants.add(members[i]);
    }
    return classes;
}

namespace {

[[noreturn]] void too_many(u32 location, u64 expected) {
    throw Error(ErrorKind::corrupt, "location {} should have {} records, but unfolds to more",
                location, expected);
}

}  // namespace

ExecutionCounts::ExecutionCounts(StructureIndex& index)
    : ExecutionCounts(index, Stream::events,
                      [&index](u32 location) { return index.facts(location).events; }) {}

ExecutionCounts::ExecutionCounts(StructureIndex& index, Stream stream, const Expected& expected)
    : index_(index),
      stream_(stream),
      structure_(index.structure()),
      values_(index.source()),
      scripts_(structure_.scripts.size()),
      group_of_(structure_.location_count, 0),
      symbol_calls_(structure_.symbols.size(), 0) {
    for (u32 script = 0; script < scripts_.size(); ++script) {
        if (of_stream(structure_.scripts[script].stream)) count_script(script, expected);
    }
}

void ExecutionCounts::count_script(u32 script, const Expected& expected) {
    std::vector<const std::vector<u64>*> differing;
    const std::vector<u32> members = members_of_script(script).members();
    for (const Assignment& assignment : structure_.script_counts[script]) {
        if (assignment.by_participant == kNone) continue;
        differing.push_back(&index_.values(assignment.by_participant, members.size()));
    }
    std::map<std::vector<u64>, u32> groups;
    std::vector<u64> sizes;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const u64 records = expected(members[i]);
        std::vector<u64> key{records};
        for (const std::vector<u64>* values : differing) key.push_back((*values)[i]);
        const auto [found, fresh] = groups.emplace(std::move(key), groups.size());
        group_of_[members[i]] = found->second;
        if (fresh) {
            sizes.push_back(0);
            add_group(script, members[i], records);
        }
        ++sizes[found->second];
    }
    const std::vector<u32>& symbols = structure_.scripts[script].symbols;
    for (u32 leaf = 0; leaf < symbols.size(); ++leaf) {
        scripts_[script].leaf_of_symbol.emplace(symbols[leaf], leaf);
    }
    for (std::size_t g = 0; g < sizes.size(); ++g) {
        for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) {
            symbol_calls_[symbols[leaf]] += sizes[g] * scripts_[script].groups[g].executions[leaf];
        }
    }
}

void ExecutionCounts::add_group(u32 script, u32 location, u64 limit) {
    if (limit > kMostRecords) {
        throw Error(ErrorKind::corrupt, "location {} has {} records, more than any trace has",
                    location, limit);
    }
    const Pattern& pattern = structure_.patterns[structure_.scripts[script].pattern];
    const auto total = [&](u32 node, u64 visits) {
        const StructureIndex::Choice use = index_.count_choice(script, node, location);
        if (use.column != kNone) return values_.total_count(use.column, visits, limit);
        const std::optional<u64> all = ValueRun{use.value, 0, visits}.total(limit);
        if (!all) too_many(location, limit);
        return *all;
    };
    Group group;
    group.executions = ColumnValues::executions(pattern, total, limit, &group.visits);
    if (makes_more(script, group, limit)) too_many(location, limit);
    scripts_[script].groups.push_back(std::move(group));
}

bool ExecutionCounts::makes_more(u32 script, const Group& group, u64 limit) const {
    const std::vector<u32>& symbols = structure_.scripts[script].symbols;
    u128 records = 0;
    for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) {
        const std::vector<Element>& elements = structure_.symbols[symbols[leaf]].elements;
        const auto sure = std::ranges::count_if(
            elements, [](const Element& element) { return element.type != kCompletions; });
        // A run of completions of any length is one element; every call has at least one record.
        records += u128{group.executions[leaf]} * std::max<u64>(1, static_cast<u64>(sure));
    }
    return records > limit;
}

u64 ExecutionCounts::calls(u32 symbol, u32 location) const {
    const auto& leaves = scripts_[index_.script(stream_, location)].leaf_of_symbol;
    const auto leaf = leaves.find(symbol);
    return leaf == leaves.end() ? 0 : executions(location, leaf->second);
}

ExecutionCounts::Use ExecutionCounts::slot(u32 symbol, u32 slot, u32 location) {
    return {index_.slot_choice(symbol, slot, location), calls(symbol, location)};
}

ExecutionCounts::Use ExecutionCounts::count(u32 location, u32 node) {
    return {index_.count_choice(index_.script(stream_, location), node, location),
            visits(location, node)};
}

void ExecutionCounts::visit(const Use& use, const ColumnValues::Sink& sink) {
    if (use.column != kNone) {
        values_.visit(use.column, use.size, sink);
    } else if (use.size != 0) {
        sink({use.value, 0, use.size});
    }
}

u64 ExecutionCounts::sum(const Use& use) {
    return use.column == kNone ? use.value * use.size : values_.sum(use.column, use.size);
}

namespace {

/// Longer arrays do not fit into a record (OTF2 chunks are at most 16 MiB): the count is damaged.
constexpr u64 kMaxRepeat = u64{1} << 24U;

}  // namespace

PatternCursor script_cursor(StructureIndex& index, u32 script, u32 location) {
    const Structure& structure = index.structure();
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    PatternCursor cursor(pattern);
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        if (structure.script_counts[script][node].is_always_one()) continue;
        cursor.add_counts(node, index.count_cursor(script, node, location));
    }
    return cursor;
}

LocationCursor::LocationCursor(StructureIndex& index, Stream stream, u32 location)
    : index_(index), location_(location) {
    const u32 script = index.script(stream, location);
    if (script == kNone) return;
    script_ = &index.structure().scripts[script];
    pattern_.push_back(script_cursor(index, script, location));
    leaves_.reserve(script_->symbols.size());
    for (const u32 symbol : script_->symbols) {
        Leaf& leaf = leaves_.emplace_back();
        const std::vector<Slot>& slots = index_.slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            leaf.slots.push_back({slots[slot].shape, index_.slot_cursor(symbol, slot, location_)});
            leaf.is_plain = leaf.is_plain && slots[slot].shape == SlotShape::one;
        }
    }
}

bool LocationCursor::next(u32& symbol, AppendBuffer<u64>& values) {
    values.clear();
    if (run_.count == 0 && (pattern_.empty() || !pattern_[0].next(run_))) return false;
    --run_.count;
    symbol = script_->symbols[run_.leaf];
    Leaf& leaf = leaves_[run_.leaf];
    if (leaf.is_plain) {
        u64* value = values.extend(leaf.slots.size());
        for (SlotCursor& slot : leaf.slots) *value++ = slot.column.next();
    } else {
        read(leaf, values);
    }
    return true;
}

void LocationCursor::read(Leaf& leaf, AppendBuffer<u64>& values) {
    u64 repeat = 0;
    for (SlotCursor& slot : leaf.slots) {
        switch (slot.shape) {
            case SlotShape::one:
                values.push_back(slot.column.next());
                break;
            case SlotShape::count:
                repeat = slot.column.next();
                if (repeat > kMaxRepeat) {
                    throw Error(ErrorKind::corrupt, "a record has an impossible number of items");
                }
                values.push_back(repeat);
                break;
            case SlotShape::each:
                for (u64 i = 0; i < repeat; ++i) values.push_back(slot.column.next());
                break;
        }
    }
}

void LocationCursor::save(CursorState& state) const {
    pattern_[0].save(state);
    for (const Leaf& leaf : leaves_) {
        for (const SlotCursor& slot : leaf.slots) {
            if (state.differs()) return;
            slot.column.save(state);
        }
    }
}

void LocationCursor::restore(CursorState& state) {
    pattern_[0].restore(state);
    for (Leaf& leaf : leaves_) {
        for (SlotCursor& slot : leaf.slots) slot.column.restore(state);
    }
}

}  // namespace tracefold
