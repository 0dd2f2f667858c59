// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"
#include "fold/column_cursor.hpp"
#include "fold/column_values.hpp"
#include "fold/family_columns.hpp"
#include "fold/location_classes.hpp"
#include "fold/placed_values.hpp"
#include "model/participants.hpp"
#include "model/structure.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// Finds the script and columns of a location. Class columns are read at first use, each once.
/// Memory: the runs of the scripts by location, and of every class column in use. The
/// structure must outlive the index. Thread-safe.
class TRACEFOLD_API StructureIndex {
  public:
    explicit StructureIndex(const Structure& structure);

    [[nodiscard]] const Structure& structure() const { return structure_; }
    [[nodiscard]] FoldedSource source() const {
        return {structure_.patterns, structure_.columns, &families_};
    }
    /// Number of columns, those of families included.
    [[nodiscard]] u64 column_count() const {
        return structure_.columns.size() + families_.column_count();
    }
    /// Returns the script of a location's stream; kNone if the stream has no records.
    [[nodiscard]] u32 script(Stream stream, u32 location) const;
    /// Returns the scripts of all locations.
    [[nodiscard]] std::vector<u32> scripts_of(Stream stream) const;
    [[nodiscard]] const std::vector<Slot>& slots(u32 symbol) const { return slots_[symbol]; }

    /// The values of a slot for a location that has the symbol, or the counts of a script node for
    /// a location that runs the script.
    ColumnCursor slot_cursor(u32 symbol, u32 slot, u32 location);
    ColumnCursor count_cursor(u32 script, u32 node, u32 location);

    LocationFacts facts(u32 location);
    /// The same numbers alone.
    u64 events(u32 location) { return fact(0, location); }
    u64 local_definitions(u32 location) { return fact(1, location); }

    /// Returns a number for each location, equal for those with the same records of a type in a
    /// stream, but for times; numbered by first location. Cost: the runs of the columns that differ
    /// between locations.
    std::vector<u32> content_classes(Stream stream, u8 type) {
        return content_classes(stream, type, [](const Assignment&, u64 value) { return value; });
    }
    /// The same for records that may differ in the numbers by which the columns of a family differ.
    std::vector<u32> family_classes(Stream stream, u8 type);
    /// Returns numbers that are equal for locations with the same records of a type in a stream,
    /// but for times. Cost: the symbols of the location's script.
    std::vector<u64> content_key(Stream stream, u8 type, u32 location);
    /// Returns the family of the location's column of a slot; null if it is in none. Precondition:
    /// the location has the symbol.
    const ColumnFamily* slot_family(u32 symbol, u32 slot, u32 location);

    /// What a location has of an assignment.
    struct Choice {
        u32 column = kNone;  ///< kNone: constantly `value`
        u64 value = 0;
    };
    /// For a location that has the symbol, or runs the script.
    Choice slot_choice(u32 symbol, u32 slot, u32 location);
    Choice count_choice(u32 script, u32 node, u32 location);
    /// The numbers of a class column for the first `size` participants of its assignment; remain
    /// valid. Throws Error(corrupt) if it has fewer.
    const PlacedValues& values(u32 class_column, u64 size);

    [[nodiscard]] const ParticipantList& participants_of_script(u32 script) const {
        return script_places_[script].list();
    }
    const ParticipantList& participants_of_symbol(u32 symbol) {
        return places_of_symbol(symbol).list();
    }
    /// Splits classes of locations by what the participants `who` have of an assignment.
    void split(LocationClasses& classes, const Assignment& assignment, const ParticipantList& who);
    /// The same for a slot and the locations that have the symbol.
    void split_by_slot(LocationClasses& classes, u32 symbol, u32 slot) {
        split(classes, structure_.slots[symbol][slot], participants_of_symbol(symbol));
    }
    /// Participants that use the same column for an argument.
    struct Class : Choice {
        ParticipantList participants;
    };
    /// Returns the classes of an assignment with the participants `all`, by first participant.
    std::vector<Class> classes(const Assignment& assignment, const ParticipantList& all);

  private:
    /// The field of LocationFacts with this number. Precondition: the structure has it.
    u64 fact(std::size_t field, u32 location) {
        return values(structure_.facts[field], structure_.location_count).at(location);
    }
    using ClassValue = std::function<u64(const Assignment&, u64 value)>;
    std::vector<u32> content_classes(Stream stream, u8 type, const ClassValue& of);
    [[nodiscard]] ColumnCursor cursor(const Choice& choice) const;
    [[nodiscard]] Choice choice(const Assignment& assignment, u64 value) const;
    [[nodiscard]] bool has_records(u32 symbol, u8 type) const;
    Choice choose(const Assignment& assignment, const ParticipantPlaces& places, u32 location);
    const ParticipantPlaces& places_of_symbol(u32 symbol);
    [[nodiscard]] u32 checked_script(u64 id, Stream stream) const;

    const Structure& structure_;
    FamilyColumns families_;
    std::vector<std::vector<Slot>> slots_;
    std::vector<PlacedValues> script_of_;  ///< by stream, then location: 0 none, 1 + script
    std::vector<std::vector<u32>> scripts_of_symbol_;
    std::vector<ParticipantPlaces> script_places_;
    std::mutex mutex_;                                    ///< for the lazily filled members
    std::map<std::pair<u32, u64>, PlacedValues> values_;  ///< by column and size
    std::map<std::vector<u32>, ParticipantPlaces> united_places_;  ///< by scripts
    /// The first entries of each column and symbol, found without the mutex; null: none yet.
    std::vector<std::atomic<const PlacedValues*>> values_of_column_;
    std::vector<std::atomic<const ParticipantPlaces*>> places_of_symbol_;
};

/// Execution counts of scripts, nodes and symbols, computed on the folded form without unwinding.
/// Counts of a script are computed once for all participants that share them. Cost of construction:
/// the folded size plus the runs of the counts that differ between locations. The index must
/// outlive this object; not thread-safe.
class ExecutionCounts {
  public:
    /// Returns the expected number of records of a location.
    using Expected = std::function<u64(u32 location)>;

    /// For the events.
    explicit ExecutionCounts(StructureIndex& index);
    /// Throws Error(corrupt) if a location has more records of the stream than expected, or than
    /// kMostRecords; too few are detected by unwinding.
    ExecutionCounts(StructureIndex& index, Stream stream, const Expected& expected);

    /// Locations in ascending order.
    [[nodiscard]] const ParticipantList& members_of_script(u32 script) const {
        return of_stream(structure_.scripts[script].stream) ? index_.participants_of_script(script)
                                                            : nobody_;
    }
    [[nodiscard]] const ParticipantList& members_of_symbol(u32 symbol) const {
        return of_stream(structure_.symbol_streams[symbol]) ? index_.participants_of_symbol(symbol)
                                                            : nobody_;
    }

    /// Classes of locations with the same script and equal counts; none for those without records.
    [[nodiscard]] const LocationClasses& classes() const { return classes_; }

    /// How often a location visits a node of its script, and executes it: repetitions of a leaf,
    /// iterations of a loop. Precondition: the location has records.
    [[nodiscard]] u64 visits(u32 location, u32 node) const { return group(location).visits[node]; }
    [[nodiscard]] u64 executions(u32 location, u32 node) const {
        return group(location).executions[node];
    }
    /// Executions of a symbol by a location that has it, or by all.
    [[nodiscard]] u64 calls(u32 symbol, u32 location) const;
    [[nodiscard]] u64 calls(u32 symbol) const { return symbol_calls_[symbol]; }

    /// The numbers of one argument or count of one location.
    struct Use : StructureIndex::Choice {
        u64 size = 0;  ///< number of values
    };
    static ColumnCursor cursor(const FoldedSource& source, const Use& use) {
        return use.column == kNone ? ColumnCursor::constant(use.value)
                                   : ColumnCursor(source, use.column);
    }
    /// Replaces a constant column by its number.
    static Use plain(const FoldedSource& source, const Use& use) {
        if (use.column == kNone) return use;
        const Column& column = source.column(use.column);
        return column.form == Column::Form::constant ? Use{{kNone, column.start}, use.size} : use;
    }
    /// Returns a slot of shape `one` or `count`. Precondition: the location has the symbol.
    Use slot(u32 symbol, u32 slot, u32 location);
    /// Returns the counts of a node of the location's script.
    Use count(u32 location, u32 node);
    /// Passes the different uses of such a slot, each with the number of locations that share it.
    void each_use(u32 symbol, u32 slot, const std::function<void(const Use&, u64)>& visit);

    void visit(const Use& use, const ColumnValues::Sink& sink);
    u64 sum(const Use& use);

  private:
    /// Of a class of locations.
    struct Group {
        u32 script;
        std::vector<u64> visits;
        std::vector<u64> executions;
    };

    [[nodiscard]] bool of_stream(Stream stream) const { return stream == stream_; }
    void add_group(u32 location, u64 limit);
    [[nodiscard]] bool makes_more(u32 script, const Group& group, u64 limit) const;
    [[nodiscard]] const Group& group(u32 location) const { return groups_[classes_.of(location)]; }

    StructureIndex& index_;
    Stream stream_;
    ParticipantList nobody_;
    const Structure& structure_;
    ColumnValues values_;
    LocationClasses classes_;  ///< same script, same counts
    std::vector<Group> groups_;
    std::vector<std::unordered_map<u32, u32>> leaf_of_symbol_;  ///< by script
    std::vector<u64> symbol_calls_;
};

/// Walks the script of a location: leaves are indices of the script's symbols.
PatternCursor script_cursor(StructureIndex& index, u32 script, u32 location);

/// Unwinds one stream of one location call by call, in O(depth + columns) memory.
class LocationCursor {
  public:
    LocationCursor(StructureIndex& index, Stream stream, u32 location);

    /// Advances to the next call: returns its symbol, and in `values` (overwritten) the values of
    /// its slots in order; a `count` slot is followed by its repeated slots, field by field. False
    /// at the end.
    bool next(u32& symbol, AppendBuffer<u64>& values);

    /// The outermost loop of the last call.
    [[nodiscard]] OutermostLoop outermost() const {
        return pattern_.empty() ? OutermostLoop{} : pattern_[0].outermost();
    }

    /// The loop whose iteration ended with the last call.
    [[nodiscard]] LoopTurn turn() const {
        return run_.count != 0 || pattern_.empty() ? LoopTurn{} : pattern_[0].turn();
    }
    /// Save and restore as in ColumnCursor; save() stops at the first difference to the compared
    /// state. Precondition: an iteration ended with the last call.
    void save(CursorState& state) const;
    void restore(CursorState& state);

  private:
    struct SlotCursor {
        SlotShape shape;
        ColumnCursor column;
    };
    struct Leaf {
        std::vector<SlotCursor> slots;
        bool is_plain = true;  ///< every slot has one value
    };

    static void read(Leaf& leaf, AppendBuffer<u64>& values);

    StructureIndex& index_;
    u32 location_;
    const Script* script_ = nullptr;
    std::vector<PatternCursor> pattern_;  ///< empty if the stream is empty
    PatternCursor::Run run_{0, 0};
    std::vector<Leaf> leaves_;
};

}  // namespace tracefold
