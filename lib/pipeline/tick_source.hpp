// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/quantised_ticks.hpp"
#include "format/timing_codec.hpp"
#include "model/record_batch.hpp"
#include "model/timing_model.hpp"
#include "mpi_calls/call_decoder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

class TraceFile;

/// Times made from a TimingModel: every edge takes the location's mean, every record of a call its
/// share of the location's mean of that call. Deterministic.
class MeanClock {
  public:
    MeanClock(const TimingModel& model, u32 location, std::size_t symbols);

    /// Ticks between the previous record and the next one. Throws Error(corrupt) if the model does
    /// not know the way.
    u64 next(RecordPlace place);

  private:
    struct Edge {
        u32 from;
        u64 ticks;
    };

    std::vector<std::vector<u64>> steps_;   ///< [symbol][element]
    std::vector<std::vector<Edge>> edges_;  ///< by symbol they lead to, the last used first
    u32 symbol_ = kNone;
};

/// Gives the records of a location their times, from whatever the file keeps of them: the exact or
/// quantised ticks of its section, means, or without any one tick per record.
class TickSource {
  public:
    TickSource(const TraceFile& file, u32 location);

    /// `groups`: the timing group of each record of the batch; `places`: what the groups are.
    void stamp(RecordBatch& batch, const std::vector<u32>& groups,
               const std::vector<RecordPlace>& places);
    void expect_end() const;

    /// Of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return quantised_ ? &quantised_->precision() : nullptr;
    }

  private:
    u64 ticks(u32 group, const std::vector<RecordPlace>& places);

    std::string bytes_;
    std::optional<TimingDecoder> exact_;
    std::optional<QuantisedDecoder> quantised_;
    std::optional<MeanClock> means_;
    u64 time_ = 0;
};

}  // namespace tracefold
