// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/location_cursor.hpp"
#include "format/timing_codec.hpp"
#include "mpi_calls/call_decoder.hpp"
#include "pipeline/record_source.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

class TraceFile;

/// Gives the records of a location their times: the exact ticks of its section, or without exact
/// timing one tick per record.
class TickSource {
  public:
    TickSource(const TraceFile& file, u32 location);

    /// `groups`: the timing group of each record of the batch.
    void stamp(RecordBatch& batch, const std::vector<u32>& groups);
    void expect_end() const;

  private:
    std::string bytes_;
    std::optional<TimingDecoder> decoder_;
    u64 time_ = 0;
};

/// The events of one location of a file, unwound call by call.
class EventSource : public RecordSource {
  public:
    EventSource(TraceFile& file, u32 location);
    bool next(RecordBatch& batch) override;

  private:
    [[noreturn]] void wrong_count() const;

    const TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    TickSource ticks_;
    u64 expected_;
    u64 count_ = 0;
    std::vector<u32> groups_;
    std::vector<u64> values_;
};

}  // namespace tracefold
