// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/clock_granularity.hpp"
#include "file/format/timing_codec.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Encodes the quantized ticks of one location (docs/reference/format.md, "Quantized timing"): the
/// step of the clock, the exact time of the first record, and then indices into a DeltaGrid, coded
/// like exact differences. With feedback: later differences compensate the accumulated rounding
/// error within their own tolerance, so the time since the start is never off by more than the
/// largest tolerance so far.
class QuantisedEncoder {
  public:
    QuantisedEncoder(TimingEncoder::Sink sink, u32 error_ppm,
                     TickCoding coding = TickCoding::modelled);

    /// Resets for another location.
    void begin();
    void add(const std::vector<CallBatch::Delta>& deltas);
    /// Writes nothing for a location without records.
    void finish();

  private:
    /// Number of differences that determine the step of the clock.
    static constexpr std::size_t kSample = 65536;

    void start();
    void code();

    TimingEncoder::Sink sink_;
    DeltaPrecision precision_;
    TimingEncoder encoder_;
    std::optional<DeltaGrid> grid_;  ///< empty before the step is known
    std::vector<CallBatch::Delta> pending_;
    i64 behind_ = 0;  ///< true time minus stored time
    bool first_ = true;
};

/// Reads the output of QuantisedEncoder. Throws Error(corrupt).
class QuantisedDecoder {
  public:
    /// `bytes` must outlive the decoder; `name` is the source in messages.
    QuantisedDecoder(std::string_view bytes, u32 error_ppm, const std::string& name,
                     TickCoding coding = TickCoding::modelled);

    /// Returns the ticks from the previous record to the next one, which has this group.
    u64 next(u32 group);
    void expect_end() const { decoder_.expect_end(); }

    [[nodiscard]] const DeltaPrecision& precision() const { return precision_; }

  private:
    QuantisedDecoder(ByteReader in, u32 error_ppm, const std::string& name, TickCoding coding);

    DeltaPrecision precision_;
    DeltaGrid grid_;
    TimingDecoder decoder_;
    std::string name_;
    bool first_ = true;
};

}  // namespace tracefold
