// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/event_source.hpp"
#include "pipeline/trace_file.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The events of one location of a file, call by call: what was recorded as one symbol comes as
/// one. The data of receives and non-blocking collectives come with the call that posted them.
/// Memory: one call, what EventSource holds, and the location's ticks. Throws Error(corrupt).
class CallStream {
  public:
    using Posted = CallDecoder::Posted;

    /// The file must outlive the stream.
    CallStream(TraceFile& file, u32 location, Times times = Times::read);

    /// Reads the next call; false at the end.
    bool next();

    [[nodiscard]] const Symbol& symbol() const { return file_.structure().symbols[symbol_]; }
    [[nodiscard]] u32 symbol_id() const { return symbol_; }
    /// The records of the call as they were recorded, with times.
    [[nodiscard]] const RecordBatch& records() const { return records_; }
    /// The element of the symbol that a record belongs to.
    [[nodiscard]] const Element& element_of(std::size_t record) const {
        return symbol().elements[element_number(record)];
    }
    [[nodiscard]] u32 element_number(std::size_t record) const {
        return groups_[record] - first_group_;
    }
    /// The loop of the location's script that the call is in.
    [[nodiscard]] OutermostLoop loop() const { return cursor_.outermost(); }
    /// By rising record.
    [[nodiscard]] const std::vector<Posted>& posted() const { return posted_; }

    /// The timing group of each record of the call.
    [[nodiscard]] std::span<const u32> groups() const { return groups_; }
    /// The loop of the location's script of which an iteration ends with the call.
    [[nodiscard]] LoopTurn turn() const { return cursor_.turn(); }

    /// Calls that come again: the same records with the same values, except for times and the ids
    /// of requests, all of which are `request_step` larger every time.
    struct Cycle {
        u64 times = 0;  ///< in a row from here on; 0: not at all, or not in such a way
        u64 request_step = 0;
    };
    /// From now on notices whether calls come again. Precondition: turn() has a loop.
    void watch();
    /// What becomes of the calls since watch(). Precondition: turn() has a loop.
    Cycle cycle();
    /// The next calls are those after `cycle`; `records` is how many each time has, which are to be
    /// passed. Precondition: it is what cycle() said last. Throws Error(corrupt).
    void leave_out(const Cycle& cycle, u64 records);
    /// Gives records that were left out their times, which are kept in order with all others.
    /// Without times nothing is given.
    void pass(std::span<const u32> groups, u64* times);

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] const MappingTables& tables() const { return tables_; }

  private:
    [[noreturn]] void wrong_count() const;

    TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    std::optional<TickSource> ticks_;
    u64 left_;  ///< records that should still come
    u32 symbol_ = 0;
    RecordBatch records_;
    std::vector<Posted> posted_;
    std::vector<u64> values_;
    std::vector<u32> groups_;  ///< by record
    u32 first_group_ = 0;
    CursorState watched_;
    CursorState now_;
};

}  // namespace tracefold
