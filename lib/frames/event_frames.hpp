// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frames/call_frames.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The records of calls as rows, as they were recorded, with the columns of event_columns():
/// location, rank, thread, time, type of the record, region that is entered or left, and its
/// fields. Cost and memory as CallFrames. The file must outlive it.
class EventFrames : public FrameSource {
  public:
    /// Throws Error(usage): what ColumnChoice and SelectedCalls say.
    EventFrames(TraceFile& file, CallSelection selection, const FrameRequest& request);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return choice_.columns();
    }
    std::shared_ptr<const Frame> next() override;

  private:
    /// The label of a region, by the number that the location gives it.
    using RegionCodes = std::unordered_map<u64, i32>;

    bool next_record();
    void begin_location(u32 location);
    void put_record(const RecordBatch::Head& head);
    void put_arguments(const RecordSpan& records, const RecordBatch::Head& head);
    i32 region_code(FieldKind kind, u64 raw);

    SelectedCalls calls_;
    FrameRequest request_;
    ColumnChoice choice_;
    FrameWriter frames_;
    LocationColumns places_;
    ArgumentSink sink_;
    TickRate rate_;
    u32 location_ = kNone;
    u32 time_column_;
    u32 event_column_;
    u32 region_column_;
    bool times_;
    CallLister* call_ = nullptr;  ///< at hand
    std::size_t record_ = 0;      ///< of the call
    std::vector<i32> type_codes_;
    std::vector<std::unique_ptr<FieldPlan>> plans_;  ///< by type
    RegionCodes regions_;
    RegionCodes contexts_;
};

}  // namespace tracefold
