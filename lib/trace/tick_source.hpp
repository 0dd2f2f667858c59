// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/quantised_ticks.hpp"
#include "format/timing_codec.hpp"
#include "model/record_batch.hpp"
#include "trace/decoded_ticks.hpp"
#include "trace/model_clock.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class TraceFile;

/// Which times a reader wants.
struct Times {
    enum Kind : u8 {
        read,    ///< what the file keeps
        skip,    ///< none: all 0
        mean,    ///< every way between two calls takes as long as it does on average
        sample,  ///< it takes as long as one of them, drawn by chance
    };

    Times(Kind of_kind = read, u64 of_seed = 0) : kind(of_kind), seed(of_seed) {}
    bool operator==(const Times&) const = default;

    Kind kind;
    u64 seed;  ///< of `sample`
};

/// Gives the records of a location their times, from whatever the file keeps of them: the exact or
/// quantised ticks of its section, durations, or without any one tick per record.
class TickSource {
  public:
    /// Precondition: the times are not skipped. The file must outlive the source.
    TickSource(TraceFile& file, u32 location, Times times = Times::read);

    /// `groups`: the timing group of each of the last records of the batch; `places`: what the
    /// groups are.
    void stamp(RecordBatch& batch, std::span<const u32> groups,
               const std::vector<RecordPlace>& places);
    /// The time of one record.
    u64 next(u32 group, const std::vector<RecordPlace>& places) {
        u64 time = 0;
        next({&group, 1}, places, &time);
        return time;
    }
    /// The times of many records, in less time.
    void next(std::span<const u32> groups, const std::vector<RecordPlace>& places, u64* times);
    void expect_end() const;

    /// Of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return quantised_ ? &quantised_->precision() : nullptr;
    }

  private:
    void read_times(TraceFile& file, u32 location);
    void make_times(TraceFile& file, u32 location, Times times);
    void exact_ticks(std::span<const u32> groups, u64* ticks);
    u64 about(u32 group, const std::vector<RecordPlace>& places);

    std::string bytes_;
    DecodedTicks::Reader kept_;
    std::optional<TimingDecoder> exact_;
    std::unique_ptr<DecodedTicks::Writer> keeping_;
    std::optional<QuantisedDecoder> quantised_;
    TimingModel own_model_;  ///< where the file has none
    std::optional<ModelClock> model_;
    u64 time_ = 0;
    std::vector<u64> stamps_;
};

}  // namespace tracefold
