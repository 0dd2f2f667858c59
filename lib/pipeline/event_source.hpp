// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/location_cursor.hpp"
#include "mpi_calls/call_decoder.hpp"
#include "pipeline/record_source.hpp"
#include "pipeline/tick_source.hpp"

#include <optional>
#include <vector>

namespace tracefold {

class TraceFile;

/// The events of one location of a file, unwound call by call.
class EventSource : public RecordSource {
  public:
    EventSource(TraceFile& file, u32 location, Times times = Times::read);
    bool next(RecordBatch& batch) override;

    /// Of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return ticks_ ? ticks_->precision() : nullptr;
    }

  private:
    [[noreturn]] void wrong_count() const;

    const TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    std::optional<TickSource> ticks_;  ///< unless they are skipped
    u64 expected_;
    u64 count_ = 0;
    std::vector<u32> groups_;
    std::vector<u64> values_;
};

}  // namespace tracefold
