// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/location_cursor.hpp"
#include "mpi_calls/call_decoder.hpp"
#include "trace/record_source.hpp"
#include "trace/tick_source.hpp"
#include "trace/trace_file.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Reads the events of one location of a file, either call by call or as batches of records. What
/// was recorded as one symbol is one call. The data of receives and non-blocking collectives come
/// with the call that posted them. Memory: one call or batch, the depth of the script, and the
/// location's ticks. Throws Error(corrupt).
class CallReader : public RecordSource {
  public:
    using Posted = CallDecoder::Posted;

    /// The file must outlive the reader.
    CallReader(TraceFile& file, u32 location, Times times = Times::read);

    /// Reads the next call; false at the end.
    bool next();
    /// Reads as many calls as fill a batch. What is said below of one call does not hold then.
    bool next(RecordBatch& batch) override;

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
    struct Region {
        u64 id = 0;           ///< global
        bool is_mpi = false;  ///< a function of MPI
    };
    /// The region that a record enters or leaves. Precondition: is_enter() or is_leave().
    [[nodiscard]] Region region(std::size_t record) {
        const u32 element = element_number(record);
        if (symbol_ >= regions_.size() || regions_[symbol_].empty()) find_regions();
        return regions_[symbol_][element];
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
    /// passed. Precondition: it is what cycle() said last, or fewer times. Throws Error(corrupt).
    void leave_out(const Cycle& cycle, u64 records);
    /// Gives records that were left out their times, which are kept in order with all others.
    /// Without times nothing is given.
    void pass(std::span<const u32> groups, u64* times) {
        if (ticks_) ticks_->next(groups, decoder_.places(), times);
    }

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] const MappingTables& tables() const { return tables_; }
    /// The precision of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return ticks_ ? ticks_->precision() : nullptr;
    }

  private:
    bool append(RecordBatch& batch, std::vector<Posted>* posted);
    void expect_end() const;
    void find_regions();
    [[noreturn]] void wrong_count(bool more) const;

    TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    std::optional<TickSource> ticks_;
    u64 left_;  ///< records that should still come
    u32 calls_ = 0;
    u32 symbol_ = 0;
    RecordBatch records_;
    std::vector<Posted> posted_;
    AppendBuffer<u64> values_;
    std::vector<u32> groups_;  ///< by record
    u32 first_group_ = 0;
    std::vector<std::vector<Region>> regions_;  ///< by symbol and element, once asked for
    CursorState watched_;
    CursorState now_;
};

}  // namespace tracefold
