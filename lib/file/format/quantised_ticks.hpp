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

/// Writes the quantized ticks of one location (docs/reference/format.md, "Quantized timing"): the
/// step of the clock, the time of the first record as it is, and then, coded like exact
/// differences, indices into a DeltaGrid. With feedback: what was rounded off so far is made up for
/// by the next differences, as far as their own tolerance allows, so that the time since the start
/// is never off by more than the largest tolerance so far.
class QuantisedEncoder {
  public:
    QuantisedEncoder(TimingEncoder::Sink sink, u32 error_ppm,
                     TickCoding coding = TickCoding::modelled);

    /// Forgets what it learned, for another location.
    void begin();
    void add(const std::vector<CallBatch::Delta>& deltas);
    /// Nothing is written for a location without records.
    void finish();

  private:
    /// Differences looked at before the step of the clock is decided on.
    static constexpr std::size_t kSample = 65536;

    void start();
    void code();

    TimingEncoder::Sink sink_;
    DeltaPrecision precision_;
    TimingEncoder encoder_;
    std::optional<DeltaGrid> grid_;  ///< none before the step is known
    std::vector<CallBatch::Delta> pending_;
    i64 behind_ = 0;  ///< true time minus kept time
    bool first_ = true;
};

/// Reads what QuantisedEncoder wrote. Throws Error(corrupt).
class QuantisedDecoder {
  public:
    /// `bytes` must outlive the decoder; `name` says in messages what is being read.
    QuantisedDecoder(std::string_view bytes, u32 error_ppm, const std::string& name,
                     TickCoding coding = TickCoding::modelled);

    /// Ticks between the previous record and the next one, which is of this group.
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
