// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/node_clocks.hpp"
#include "archives/derived_source.hpp"
#include "cut/location_cutter.hpp"
#include "cut/partner_search.hpp"

namespace tracefold::inline cut {

/// A part of a trace, to be folded. Definitions stay as they are, with all ids, but for the numbers
/// of events and, with a window, the span of the clock. If the part is all of the trace, everything
/// stays. Throws Error: usage (nothing is left), corrupt.
class CutSource : public DerivedSource {
  public:
    /// All must outlive the source.
    CutSource(TraceFile& file, const CutRequest& request, const std::vector<Intervals>& intervals,
              const PartnerFindings& partners, ProgressSink progress);

    [[nodiscard]] u64 archive_bytes() const override;
    void read_global_definitions(const BatchSink& sink) override;
    u64 read_events(u64 location, const BatchSink& sink) override;

    /// Of all locations read so far.
    [[nodiscard]] const CutCounts& counts() const { return counts_; }
    [[nodiscard]] u64 kept() const;
    [[nodiscard]] u64 added() const;
    /// Events in the whole trace.
    [[nodiscard]] u64 all() const { return all_; }
    [[nodiscard]] bool changed() const;

  private:
    [[nodiscard]] bool is_unchanged() const override { return !changed(); }
    void finish();
    [[nodiscard]] bool lacks_partners() const;
    [[nodiscard]] bool lacks_threads() const;
    void see_times(const RecordBatch& batch, const ClockMap& clock);
    [[nodiscard]] RecordBatch adjusted(const RecordBatch& batch, u32& location) const;

    const CutRequest& request_;
    const std::vector<Intervals>& intervals_;
    const PartnerFindings& partners_;
    CommonClock clock_;
    CutCounts counts_;
    u64 all_ = 0;
    std::vector<u64> events_;  ///< by location, once read
    u64 unread_ = 0;           ///< locations with events
    bool has_times_ = false;
    u64 first_time_ = ~u64{0};  ///< of all events, by the common clock
    u64 last_time_ = 0;
};

}  // namespace tracefold::inline cut
