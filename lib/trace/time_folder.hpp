// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/quantised_ticks.hpp"
#include "format/timing_codec.hpp"
#include "model/trace_summary.hpp"
#include "trace/duration_collector.hpp"

#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Keeps of the times of one location what the timing level asks for.
class TimeFolder {
  public:
    /// `error_ppm`: of quantized times.
    TimeFolder(TimingLevel timing, u32 error_ppm, TickCoding coding = TickCoding::modelled);

    TimeFolder(const TimeFolder&) = delete;
    TimeFolder& operator=(const TimeFolder&) = delete;

    /// Whether the call model has to give deltas.
    [[nodiscard]] bool wants_deltas() const { return timing_ != TimingLevel::none; }

    /// Begins another location; memory is used again.
    void begin();

    /// `symbols` are those of the call model so far.
    void add(const std::vector<CallBatch::Delta>& deltas, const std::vector<Symbol>& symbols);

    /// The records of these deltas, added last, come again: their times follow by add_iteration(),
    /// with the time of the record before each iteration, until end_loop().
    void begin_loop(const std::vector<CallBatch::Delta>& deltas);
    void add_iteration(std::span<const RecordBatch::Head> records, u64 before);
    void end_loop();

    /// After the last record.
    void finish();

    /// The content of the ticks section, empty if there is none.
    [[nodiscard]] const std::string& ticks() const { return coded_; }
    /// The durations, by the symbols of the call model. Precondition: the level is histogram.
    TimingModel durations(u32 location) { return collector_.finish(location); }

  private:
    void encode(const std::vector<CallBatch::Delta>& deltas);

    TimingLevel timing_;
    std::string coded_;
    TimingEncoder exact_;
    QuantisedEncoder quantised_;
    DurationCollector collector_;
    std::vector<CallBatch::Delta> iteration_;
};

}  // namespace tracefold
