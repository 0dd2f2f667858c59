// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_index.hpp"

#include "base/error.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <unordered_map>

namespace tracefold {

namespace {

[[noreturn]] void no_column() {
    throw Error(ErrorKind::corrupt, "a location has no column for one of its arguments");
}

/// Returns the script of a number in a file: 0 stands for none.
u32 script_of_id(u64 id) { return id == 0 ? kNone : static_cast<u32>(id - 1); }

}  // namespace

StructureIndex::StructureIndex(const Structure& structure)
    : structure_(structure),
      families_(structure),
      scripts_of_symbol_(structure.symbols.size()),
      values_of_column_(structure.columns.size()),
      places_of_symbol_(structure.symbols.size()) {
    slots_.reserve(structure.symbols.size());
    for (std::size_t i = 0; i < structure.symbols.size(); ++i) {
        slots_.push_back(slots_of(structure.symbol_streams[i], structure.symbols[i]));
    }
    for (u32 script = 0; script < structure.scripts.size(); ++script) {
        for (const u32 symbol : structure.scripts[script].symbols) {
            scripts_of_symbol_[symbol].push_back(script);
        }
    }
    std::vector<ParticipantList> participants(structure.scripts.size());
    for (std::size_t stream = 0; stream < structure.script_of.size(); ++stream) {
        script_of_.emplace_back(source(), structure.script_of[stream], structure.location_count);
        u32 first = 0;
        script_of_.back().visit([&](const ValueRun& run) {
            const u64 equal = run.stride == 0 ? run.count : 1;
            for (u64 i = 0; i < run.count; i += equal) {
                const u64 id = run.start + i * run.stride;
                const u32 script = checked_script(id, static_cast<Stream>(stream));
                if (script != kNone)
                    participants[script].append({first, 1, static_cast<u32>(equal)});
                first += static_cast<u32>(equal);
            }
        });
    }
    for (ParticipantList& list : participants) script_places_.emplace_back(std::move(list));
}

u32 StructureIndex::checked_script(u64 id, Stream stream) const {
    if (id > structure_.scripts.size()) {
        throw Error(ErrorKind::corrupt, "a location names a script that does not exist");
    }
    if (id != 0 && structure_.scripts[id - 1].stream != stream) {
        throw Error(ErrorKind::corrupt, "a location names a script of another stream");
    }
    return script_of_id(id);
}

u32 StructureIndex::script(Stream stream, u32 location) const {
    return script_of_id(script_of_[static_cast<std::size_t>(stream)].at(location));
}

std::vector<u32> StructureIndex::scripts_of(Stream stream) const {
    std::vector<u32> scripts;
    scripts.reserve(structure_.location_count);
    script_of_[static_cast<std::size_t>(stream)].visit([&scripts](const ValueRun& run) {
        for (u64 i = 0; i < run.count; ++i) {
            scripts.push_back(script_of_id(run.start + i * run.stride));
        }
    });
    return scripts;
}

const ParticipantPlaces& StructureIndex::places_of_symbol(u32 symbol) {
    if (const ParticipantPlaces* const known = places_of_symbol_[symbol]) return *known;
    const std::vector<u32>& scripts = scripts_of_symbol_[symbol];
    const std::scoped_lock lock(mutex_);
    const ParticipantPlaces* places = nullptr;
    if (scripts.size() == 1) {
        places = &script_places_[scripts.front()];
    } else {
        const auto [known, fresh] = united_places_.try_emplace(scripts);
        if (fresh) {
            ParticipantList all;
            for (const u32 script : scripts) all.unite(participants_of_script(script));
            known->second = ParticipantPlaces(std::move(all));
        }
        places = &known->second;
    }
    places_of_symbol_[symbol] = places;
    return *places;
}

const PlacedValues& StructureIndex::values(u32 class_column, u64 size) {
    const PlacedValues* const first = values_of_column_[class_column];
    if (first != nullptr && first->size() == size) return *first;
    const std::scoped_lock lock(mutex_);
    auto known = values_.find({class_column, size});
    if (known == values_.end()) {
        PlacedValues values(source(), class_column, size);
        known = values_.emplace(std::pair(class_column, size), std::move(values)).first;
    }
    if (first == nullptr) values_of_column_[class_column] = &known->second;
    return known->second;
}

ColumnCursor StructureIndex::cursor(const Choice& choice) const {
    if (choice.column == kNone) return ColumnCursor::constant(choice.value);
    return {source(), choice.column};
}

StructureIndex::Choice StructureIndex::choose(const Assignment& assignment,
                                              const ParticipantPlaces& places, u32 location) {
    const u32 place = places.place(location);
    if (place == kNone) no_column();
    const u64 value = values(assignment.by_participant, places.size()).at(place);
    return choice(assignment, value);
}

StructureIndex::Choice StructureIndex::choice(const Assignment& assignment, u64 value) const {
    if (assignment.columns.empty()) return {kNone, value};
    if (value >= assignment.columns.size()) no_column();
    u32 column = assignment.columns[value];
    if (column == kNone) column = families_.id(assignment, value);
    if (column == kNone) no_column();
    return {column, 0};
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
        fields[i] = fact(i, location);
    }
    return LocationFacts::from_array(fields);
}

std::vector<u32> StructureIndex::family_classes(Stream stream, u8 type) {
    return content_classes(stream, type, [](const Assignment& assignment, u64 value) {
        const ColumnFamily* const family = family_of(assignment, value);
        return family == nullptr ? value : family->first;
    });
}

const ColumnFamily* StructureIndex::slot_family(u32 symbol, u32 slot, u32 location) {
    const Assignment& assignment = structure_.slots[symbol][slot];
    if (assignment.by_participant == kNone) return nullptr;
    const ParticipantPlaces& places = places_of_symbol(symbol);
    const PlacedValues& values = this->values(assignment.by_participant, places.size());
    return family_of(assignment, values.at(places.place(location)));
}

bool StructureIndex::has_records(u32 symbol, u8 type) const {
    const auto& elements = structure_.symbols[symbol].elements;
    return std::ranges::find(elements, type, &Element::type) != elements.end();
}

std::vector<u64> StructureIndex::content_key(Stream stream, u8 type, u32 location) {
    const u32 script = this->script(stream, location);
    std::vector<u64> key{script};
    if (script == kNone) return key;
    const auto put = [&key](const Choice& choice) {
        key.push_back(choice.column);
        key.push_back(choice.value);
    };
    for (u32 node = 0; node < structure_.script_counts[script].size(); ++node) {
        put(count_choice(script, node, location));
    }
    for (const u32 symbol : structure_.scripts[script].symbols) {
        if (!has_records(symbol, type)) continue;
        for (u32 slot = 0; slot < structure_.slots[symbol].size(); ++slot) {
            put(slot_choice(symbol, slot, location));
        }
    }
    return key;
}

std::vector<u32> StructureIndex::content_classes(Stream stream, u8 type, const ClassValue& of) {
    LocationClasses classes(scripts_of(stream));
    const auto split = [&](const Assignment& assignment, const ParticipantPlaces& who) {
        if (assignment.by_participant == kNone) return;
        auto next = values(assignment.by_participant, who.size()).reader();
        classes.split(who.list(), [&] { return of(assignment, next()); });
    };
    for (u32 script = 0; script < structure_.scripts.size(); ++script) {
        if (structure_.scripts[script].stream != stream) continue;
        for (const Assignment& counts : structure_.script_counts[script]) {
            split(counts, script_places_[script]);
        }
    }
    for (u32 symbol = 0; symbol < structure_.symbols.size(); ++symbol) {
        if (structure_.symbol_streams[symbol] != stream) continue;
        if (!has_records(symbol, type)) continue;
        for (const Assignment& slot : structure_.slots[symbol])
            split(slot, places_of_symbol(symbol));
    }
    classes.renumber();
    return classes.all();
}

void StructureIndex::split(LocationClasses& classes, const Assignment& assignment,
                           const ParticipantList& who) {
    if (assignment.by_participant == kNone) return;
    classes.split(who, values(assignment.by_participant, who.size()).reader());
}

std::vector<StructureIndex::Class> StructureIndex::classes(const Assignment& assignment,
                                                           const ParticipantList& all) {
    if (assignment.is_always_one()) return {{{kNone, 1}, all}};
    if (assignment.by_participant == kNone) return {{{assignment.columns[0], 0}, all}};
    std::unordered_map<u64, std::size_t> index_of;
    std::vector<Class> classes;
    ParticipantWalk members(all);
    const auto add = [&](u64 value, u64 count) {
        const auto [found, fresh] = index_of.emplace(value, classes.size());
        if (fresh) {
            classes.push_back({choice(assignment, value), {}});
        }
        members.take(count, classes[found->second].participants);
    };
    values(assignment.by_participant, all.size()).visit([&add](const ValueRun& run) {
        const u64 equal = run.stride == 0 ? run.count : 1;
        for (u64 i = 0; i < run.count; i += equal) add(run.start + i * run.stride, equal);
    });
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
                      [&index](u32 location) { return index.events(location); }) {}

ExecutionCounts::ExecutionCounts(StructureIndex& index, Stream stream, const Expected& expected)
    : index_(index),
      stream_(stream),
      structure_(index.structure()),
      values_(index.source()),
      classes_(index.scripts_of(stream)),
      leaf_of_symbol_(structure_.scripts.size()),
      symbol_calls_(structure_.symbols.size(), 0) {
    for (u32 script = 0; script < leaf_of_symbol_.size(); ++script) {
        if (!of_stream(structure_.scripts[script].stream)) continue;
        const ParticipantList& who = index_.participants_of_script(script);
        for (const Assignment& counts : structure_.script_counts[script]) {
            index_.split(classes_, counts, who);
        }
        ParticipantWalk members(who);
        classes_.split(who, [&] { return expected(members.next()); });
        const std::vector<u32>& symbols = structure_.scripts[script].symbols;
        for (u32 leaf = 0; leaf < symbols.size(); ++leaf) {
            leaf_of_symbol_[script].emplace(symbols[leaf], leaf);
        }
    }
    const u32 count = classes_.renumber();
    std::vector<u64> sizes(count, 0);
    for (u32 location = 0; location < structure_.location_count; ++location) {
        const u32 number = classes_.of(location);
        if (number == kNone) continue;
        if (number == groups_.size()) add_group(location, expected(location));
        ++sizes[number];
    }
    for (u32 number = 0; number < count; ++number) {
        const std::vector<u32>& symbols = structure_.scripts[groups_[number].script].symbols;
        for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) {
            symbol_calls_[symbols[leaf]] += sizes[number] * groups_[number].executions[leaf];
        }
    }
}

void ExecutionCounts::add_group(u32 location, u64 limit) {
    const u32 script = index_.script(stream_, location);
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
    group.script = script;
    group.executions = ColumnValues::executions(pattern, total, limit, &group.visits);
    if (makes_more(script, group, limit)) too_many(location, limit);
    groups_.push_back(std::move(group));
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
    const auto& leaves = leaf_of_symbol_[index_.script(stream_, location)];
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

void ExecutionCounts::each_use(u32 symbol, u32 slot,
                               const std::function<void(const Use&, u64)>& visit) {
    const ParticipantList& who = members_of_symbol(symbol);
    LocationClasses uses(classes_);
    index_.split_by_slot(uses, symbol, slot);
    std::vector<u32> first(uses.count(), kNone);
    std::vector<u64> sizes(uses.count(), 0);
    ParticipantWalk members(who);
    for (u64 left = who.size(); left > 0; --left) {
        const u32 location = members.next();
        if (sizes[uses.of(location)]++ == 0) first[uses.of(location)] = location;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != 0) visit(this->slot(symbol, slot, first[i]), sizes[i]);
    }
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
