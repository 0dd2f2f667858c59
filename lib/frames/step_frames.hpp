// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/iterations.hpp"
#include "frames/call_frames.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// The columns of StepFrames: location, rank, thread, step, begin, duration, calls.
std::vector<ColumnInfo> step_columns(bool ticks);

/// The steps of the program (find_program_steps()), or the iterations of the main loop of a program
/// of one process, as rows: for each location and step when its first call begins, how long it is
/// until its last one ends, and how many calls it has. Cost: every call is read. Memory: that of
/// the steps, one frame. The file must outlive it.
class StepFrames : public FrameSource {
  public:
    /// `locations`: true for those that are wanted. Throws Error(usage) if the program has no steps
    /// that all its ranks take.
    StepFrames(TraceFile& file, std::vector<bool> locations, const FrameRequest& request);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return choice_.columns();
    }
    std::shared_ptr<const Frame> next() override;

  private:
    struct Step {
        u64 number = 0;
        u64 begin = 0;  ///< ticks on the location's own clock
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
    std::optional<Step> step_;  ///< at hand
};

}  // namespace tracefold
