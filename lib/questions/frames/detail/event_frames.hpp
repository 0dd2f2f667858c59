// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/frames/detail/call_frames.hpp"
#include "questions/structure/iterations.hpp"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The records of calls as rows, as recorded, with the columns of event_columns(): location, rank,
/// thread, time, record type, region entered or left, and fields. Cost and memory: as for
/// CallFrames. The file must outlive this object.
class EventFrames : public FrameSource {
  public:
    /// Throws Error(usage) as ColumnChoice and SelectedCalls do.
    EventFrames(TraceFile& file, CallSelection selection, const FrameRequest& request);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return choice_.columns();
    }
    std::shared_ptr<const Frame> next() override;

  private:
    /// Label code of a region, by the location's region id.
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
    CallLister* call_ = nullptr;  ///< current call
    std::size_t record_ = 0;      ///< of the call
    std::vector<i32> type_codes_;
    std::vector<std::unique_ptr<FieldPlan>> plans_;  ///< by type
    RegionCodes regions_;
    RegionCodes contexts_;
};

/// The columns of StepFrames: location, rank, thread, step, begin, duration, calls.
std::vector<ColumnInfo> step_columns(bool ticks);

/// Program steps (find_program_steps()) as rows, or the main loop's iterations of a program with
/// one process. For each location and step: begin of its first call, time until the end of its last
/// call, number of calls. Cost: reads every call. Memory: the steps and one frame. The file must
/// outlive this object.
class StepFrames : public FrameSource {
  public:
    /// `locations`: true for requested ones. Throws Error(usage) without common steps.
    StepFrames(TraceFile& file, std::vector<bool> locations, const FrameRequest& request);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return choice_.columns();
    }
    std::shared_ptr<const Frame> next() override;

  private:
    struct Step {
        u64 number = 0;
        u64 begin = 0;  ///< ticks of the location's own clock
        u64 end = 0;
        u64 calls = 0;
    };

    std::optional<Step> next_step();
    bool open_next_location();
    void put(const Step& step);

    TraceFile& file_;
    std::vector<bool> locations_;
    FrameRequest request_;
    ColumnChoice choice_;
    ListingSource source_;
    ParticipantNames names_;
    CommonClock clock_;
    FoundSteps found_;
    Iterations iterations_;
    FrameWriter frames_;
    LocationColumns places_;
    bool times_;
    u32 next_location_ = 0;
    u32 location_ = kNone;
    std::optional<CallReader> reader_;
    std::optional<StepCounter> counter_;
    std::optional<Step> step_;  ///< current step
};

}  // namespace tracefold
