// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"
#include "fold/column_cursor.hpp"
#include "model/participants.hpp"
#include "model/structure.hpp"

#include <mutex>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Look-ups from a location to its script and columns. Class columns are unwound once when first
/// asked for. Memory: one number per location for every distinct class column and symbol asked for.
/// The structure must outlive the index. For concurrent use.
class TRACEFOLD_API StructureIndex {
  public:
    explicit StructureIndex(const Structure& structure);

    [[nodiscard]] const Structure& structure() const { return structure_; }
    [[nodiscard]] FoldedSource source() const { return {structure_.patterns, structure_.columns}; }
    /// Script of a location's stream; kNone if the stream has no records.
    [[nodiscard]] u32 script(Stream stream, u32 location) const;
    [[nodiscard]] const std::vector<Slot>& slots(u32 symbol) const { return slots_[symbol]; }

    /// The values of a slot for a location that has the symbol, and the counts of a script node for
    /// a location that runs the script.
    ColumnCursor slot_cursor(u32 symbol, u32 slot, u32 location);
    ColumnCursor count_cursor(u32 script, u32 node, u32 location);

    /// Facts of a location.
    LocationFacts facts(u32 location);

    [[nodiscard]] ParticipantList participants_of_script(u32 script) const;
    [[nodiscard]] ParticipantList participants_of_symbol(u32 symbol) const;
    /// One group of participants that use the same column for an argument.
    struct Class {
        u32 column = kNone;  ///< kNone: constantly `value`
        u64 value = 0;
        ParticipantList participants;
    };
    /// The classes of an assignment whose participants are `all`, by first participant.
    std::vector<Class> classes(const Assignment& assignment, const ParticipantList& all);

  private:
    /// The values of an assignment that is the same for all participants.
    [[nodiscard]] ColumnCursor shared(const Assignment& assignment) const;
    /// The values of one participant of an assignment that differs between them.
    ColumnCursor choose(const Assignment& assignment, const std::vector<u32>& positions,
                        u32 location);
    /// These three with the mutex locked.
    const std::vector<u64>& unwound(u32 column, std::size_t size);
    const std::vector<u32>& positions_of_symbol(u32 symbol);
    const std::vector<u32>& positions_of_script(u32 script);
    [[nodiscard]] std::vector<u32> positions(const ParticipantList& list) const;

    const Structure& structure_;
    std::vector<std::vector<Slot>> slots_;
    std::vector<std::vector<u32>> script_of_;  ///< [stream][location], kNone: none
    std::vector<std::vector<u32>> scripts_of_symbol_;
    std::mutex mutex_;                                   ///< of what is filled when it is asked for
    std::unordered_map<u32, std::vector<u64>> unwound_;  ///< by column
    std::vector<std::vector<u32>> symbol_positions_;     ///< [symbol][location]
    std::vector<std::vector<u32>> script_positions_;     ///< [script][location]
};

}  // namespace tracefold
