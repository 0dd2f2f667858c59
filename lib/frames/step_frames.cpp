// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "frames/step_frames.hpp"

#include "analysis/node_clocks.hpp"
#include "listing/text_sink.hpp"

#include <utility>

namespace tracefold {

namespace {

/// Columns behind those of the place.
enum StepPlace : u8 { kStep = 3, kStepBegin, kStepDuration, kStepCalls };

}  // namespace

std::vector<ColumnInfo> step_columns(bool ticks) {
    const std::string unit = ticks ? "tick" : "ns";
    return {{"location", ValueColumn::label},      {"rank", ValueColumn::integer},
            {"thread", ValueColumn::integer},      {"step", ValueColumn::integer},
            {"begin", ValueColumn::integer, unit}, {"duration", ValueColumn::integer, unit},
            {"calls", ValueColumn::integer}};
}

StepFrames::StepFrames(TraceFile& file, std::vector<bool> locations, const FrameRequest& request)
    : file_(file),
      locations_(std::move(locations)),
      request_(request),
      choice_(step_columns(request.ticks), {}),
      source_(file),
      names_(file.definitions()),
      clock_(common_clock(file)),
      found_(file),
      iterations_(file, source_, found_),
      frames_(choice_.columns(), request.rows),
      places_(choice_, names_, frames_),
      times_(file.summary().timing != TimingLevel::none) {
    iterations_.expect_some();
}

std::shared_ptr<const Frame> StepFrames::next() {
    while (!frames_.is_full()) {
        const std::optional<Step> step = next_step();
        if (!step) break;
        put(*step);
    }
    places_.complete();
    return frames_.take();
}

bool StepFrames::open_next_location() {
    for (; next_location_ < file_.location_count(); ++next_location_) {
        if (!locations_[next_location_]) continue;
        if (file_.index().script(Stream::events, next_location_) == kNone) continue;
        const LocationSteps* const steps = iterations_.of(next_location_);
        if (steps == nullptr) continue;
        location_ = next_location_++;
        places_.begin(location_);
        reader_.emplace(file_, location_);
        counter_.emplace(steps);
        return true;
    }
    return false;
}

/// The next step that is complete.
std::optional<StepFrames::Step> StepFrames::next_step() {
    while (reader_ || open_next_location()) {
        if (!reader_->next()) {
            reader_.reset();
            if (step_) return std::exchange(step_, std::nullopt);
            continue;
        }
        counter_->next();
        const std::optional<u64> number = counter_->step();
        const RecordSpan records = reader_->records();
        const u64 first = records[0].time;
        const u64 last = records[records.size() - 1].time;
        if (number && step_ && step_->number == *number) {
            step_->end = last;
            ++step_->calls;
            continue;
        }
        std::optional<Step> done = std::exchange(step_, std::nullopt);
        if (number) step_ = Step{*number, first, last, 1};
        if (done) return done;
    }
    return std::nullopt;
}

void StepFrames::put(const Step& step) {
    const TickRate rate = file_.definitions().tick_rate();
    const auto time = [&](TickSpan span) { return column_time(span, rate, request_.ticks); };
    frames_.set(kStep, static_cast<i64>(step.number));
    if (times_) {
        frames_.set(kStepBegin, time({clock_.since_start(location_, step.begin)}));
        frames_.set(kStepDuration, time(TickSpan::between(step.begin, step.end)));
    }
    frames_.set(kStepCalls, static_cast<i64>(step.calls));
    frames_.end_row();
}

}  // namespace tracefold
