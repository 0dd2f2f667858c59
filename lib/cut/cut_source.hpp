// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/node_clocks.hpp"
#include "core/progress_sink.hpp"
#include "cut/location_cutter.hpp"
#include "cut/partner_search.hpp"
#include "trace/trace_source.hpp"

#include <unordered_map>

namespace tracefold {

/// A part of a trace, to be folded. Definitions stay as they are, with all ids, but for the numbers
/// of events and, with a window, the span of the clock. If the part is all of the trace, everything
/// stays. Throws Error: usage (nothing is left), corrupt.
class CutSource : public TraceSource {
  public:
    /// All must outlive the source.
    CutSource(TraceFile& file, const CutRequest& request, const std::vector<Intervals>& intervals,
              const PartnerFindings& partners, ProgressSink progress);

    [[nodiscard]] const ArchiveInfo& info() const override { return info_; }
    [[nodiscard]] u64 archive_bytes() const override;
    [[nodiscard]] u64 unknown_records() const override {
        return file_.summary().dropped_unknown_records;
    }
    [[nodiscard]] std::vector<FileLoss> losses() const override { return file_.summary().losses; }
    [[nodiscard]] u64 dropped_clock_offsets() const override {
        return file_.summary().dropped_clock_offsets;
    }
    void read_global_definitions(const BatchSink& sink) override;
    [[nodiscard]] bool has_local_definitions(u64 location) const override;
    [[nodiscard]] bool has_events(u64 location) const override;
    void read_local_definitions(u64 location, const BatchSink& sink) override;
    u64 read_events(u64 location, const BatchSink& sink) override;
    void read_files(const std::vector<u64>& locations, bool extra, const std::string& except,
                    const std::function<void(const CarriedFile&)>& sink) override;

    /// Of all locations read so far.
    [[nodiscard]] const CutCounts& counts() const { return counts_; }
    [[nodiscard]] u64 kept() const;
    [[nodiscard]] u64 added() const;
    /// Events in the whole trace.
    [[nodiscard]] u64 all() const { return all_; }
    [[nodiscard]] bool changed() const;
    [[nodiscard]] const std::vector<std::string>& dropped_files() const { return dropped_files_; }

  private:
    void finish();
    [[nodiscard]] bool lacks_partners() const;
    [[nodiscard]] bool lacks_threads() const;
    void see_times(const RecordBatch& batch, const ClockMap& clock);
    [[nodiscard]] RecordBatch adjusted(const RecordBatch& batch, u32& location) const;

    TraceFile& file_;
    const CutRequest& request_;
    const std::vector<Intervals>& intervals_;
    const PartnerFindings& partners_;
    ProgressSink progress_;
    std::unordered_map<u64, u32> location_of_;  ///< by id
    CommonClock clock_;
    ArchiveInfo info_;
    CutCounts counts_;
    u64 all_ = 0;
    std::vector<u64> events_;  ///< by location, once read
    u64 unread_ = 0;           ///< locations with events
    bool has_times_ = false;
    u64 first_time_ = ~u64{0};  ///< of all events, by the common clock
    u64 last_time_ = 0;
    std::vector<std::string> dropped_files_;
};

}  // namespace tracefold
