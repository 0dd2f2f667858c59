// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/derived_source.hpp"
#include "clocks/process_clocks.hpp"

namespace tracefold::inline clocks {

/// A change of the time between two events of a location that follow each other, in ticks.
struct IntervalChange {
    u64 before = 0;
    u64 after = 0;
    u32 location = 0;
    u64 time = 0;  ///< of the second event, on the common clock, not corrected

    [[nodiscard]] u64 ticks() const { return after > before ? after - before : before - after; }
};

/// What the corrections did to the events.
struct ClockDistortion {
    u64 events = 0;
    u64 moved = 0;         ///< events that have other times than by the recorded offsets
    u64 largest_move = 0;  ///< ticks
    u64 bent = 0;          ///< intervals that changed by more than one part in kSlope
    IntervalChange largest;
};

/// A trace with corrected times, all of one clock, to be folded. Besides times and the clock
/// offsets, which are gone, everything stays. Throws Error(corrupt).
class SyncedSource : public DerivedSource {
  public:
    /// All must outlive the source. `text`: what the archive says of its times.
    SyncedSource(TraceFile& file, const ProcessClocks& clocks, std::string text,
                 ProgressSink progress);

    [[nodiscard]] u64 archive_bytes() const override { return file_.summary().archive_bytes; }
    void read_global_definitions(const BatchSink& sink) override;
    void read_local_definitions(u64 location, const BatchSink& sink) override;
    u64 read_events(u64 location, const BatchSink& sink) override;

    /// Of all events read so far.
    [[nodiscard]] const ClockDistortion& distortion() const { return distortion_; }

  private:
    struct Step {
        u64 common = 0;
        u64 corrected = 0;
    };

    void correct(u32 location, RecordBatch& batch, Step& last, bool& first);
    void note(u32 location, const Step& before, const Step& now);
    [[nodiscard]] RecordBatch with_span(const RecordBatch& batch) const;

    const ProcessClocks& clocks_;
    ClockDistortion distortion_;
    u64 first_time_ = ~u64{0};  ///< of all events, corrected
    u64 last_time_ = 0;
};

}  // namespace tracefold::inline clocks
