// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/location_cursor.hpp"
#include "mpi_calls/call_decoder.hpp"
#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// Unwinds the calls of one location of a file one after the other, without their times. Memory:
/// the depth of the script. Throws Error(corrupt).
class CallUnwinder {
  public:
    using Posted = CallDecoder::Posted;

    /// The file must outlive the unwinder.
    CallUnwinder(TraceFile& file, u32 location);
    CallUnwinder(const CallUnwinder&) = delete;
    CallUnwinder& operator=(const CallUnwinder&) = delete;

    /// Appends the records of the next call, with time 0, the timing group of each and, unless
    /// `posted` is null, what they post; false at the end.
    bool next(RecordBatch& batch, std::vector<u32>& groups, std::vector<Posted>* posted);

    /// How many calls were unwound so far, modulo 2^32.
    [[nodiscard]] u32 steps() const { return calls_; }
    /// Of the last call.
    [[nodiscard]] u32 symbol() const { return symbol_; }
    /// The timing group of its symbol's first element.
    [[nodiscard]] u32 first_group() const { return decoder_.first_group(symbol_); }
    /// The loop of the location's script that it is in.
    [[nodiscard]] OutermostLoop loop() const { return cursor_.outermost(); }
    /// The loop of the location's script of which an iteration ends with it.
    [[nodiscard]] LoopTurn turn() const { return cursor_.turn(); }
    /// What the timing groups are.
    [[nodiscard]] const std::vector<RecordPlace>& places() const { return decoder_.places(); }
    [[nodiscard]] const MappingTables& tables() const { return tables_; }

    /// Calls that come again: the same records with the same values, except for times and the ids
    /// of requests, all of which are `request_step` larger every time.
    struct Cycle {
        u64 times = 0;  ///< in a row from here on; 0: not at all, or not in such a way
        u64 request_step = 0;
    };
    /// How many numbers the last watch() saved; 0 before the first one.
    [[nodiscard]] std::size_t watched() const { return watched_.size(); }
    /// From now on notices whether calls come again. Precondition: turn() has a loop.
    void watch();
    /// What becomes of the calls since watch(). Precondition: turn() has a loop.
    Cycle cycle();
    /// The next calls are those after `cycle`; `records` is how many each time has. Precondition:
    /// it is what cycle() said last, or fewer times. Throws Error(corrupt).
    void leave_out(const Cycle& cycle, u64 records);

  private:
    [[noreturn]] void wrong_count(bool more) const;

    TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    u64 left_;  ///< records that should still come
    u32 calls_ = 0;
    u32 symbol_ = 0;
    AppendBuffer<u64> values_;
    CursorState watched_;
    CursorState now_;
};

}  // namespace tracefold
