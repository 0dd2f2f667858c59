// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/frames/detail/event_frames.hpp"

#include "questions/calls/text_sink.hpp"
#include "questions/calls/tick_window.hpp"

#include <utility>

namespace tracefold {

namespace {

/// Columns between those of LocationColumns and the arguments.
enum EventPlace : u8 { kTime = 3, kEvent, kRegion };

}  // namespace

EventFrames::EventFrames(TraceFile& file, CallSelection selection, const FrameRequest& request)
    : calls_(file, std::move(selection)),
      request_(request),
      choice_(event_columns(request.ticks), request.columns),
      frames_(choice_.columns(), request.capacity(file)),
      places_(choice_, calls_.names(), frames_),
      sink_(frames_, choice_.arguments()),
      rate_(file.definitions().tick_rate()),
      time_column_(choice_.place(kTime)),
      event_column_(choice_.place(kEvent)),
      region_column_(choice_.place(kRegion)),
      times_(file.summary().timing != TimingLevel::none),
      type_codes_(kEventTypes, -1) {}

std::shared_ptr<const Frame> EventFrames::next() {
    while (!frames_.is_full() && next_record()) {
        put_record(call_->stream().records()[record_]);
        frames_.end_row();
    }
    places_.complete();
    return frames_.take();
}

bool EventFrames::next_record() {
    if (call_ != nullptr && ++record_ < call_->records()) return true;
    call_ = calls_.next();
    record_ = 0;
    if (call_ != nullptr && calls_.location() != location_) begin_location(calls_.location());
    return call_ != nullptr;
}

void EventFrames::begin_location(u32 location) {
    places_.begin(location);
    location_ = location;
    plans_.clear();
    plans_.resize(kEventTypes);
    regions_.clear();
    contexts_.clear();
}

void EventFrames::put_record(const RecordBatch::Head& head) {
    const RecordSpan records = call_->stream().records();
    if (times_ && time_column_ != kNone) {
        const u64 ticks = calls_.clock().since_start(location_, head.time);
        frames_.set(time_column_, column_time({ticks}, rate_, request_.ticks));
    }
    if (event_column_ != kNone) {
        i32& code = type_codes_[head.type];
        if (code < 0) code = frames_.code(event_column_, event_info(head.type).name);
        frames_.set_code(event_column_, code);
    }
    const bool moves = is_enter(head.type) || is_leave(head.type);
    if (moves && region_column_ != kNone) {
        const FieldKind kind = event_info(head.type).fields[0].kind;
        frames_.set_code(region_column_, region_code(kind, records.values(head)[0]));
    }
    const bool says_no_more = moves && event_info(head.type).field_count == 1;
    if (!says_no_more || head.attribute_count != 0) put_arguments(records, head);
}

i32 EventFrames::region_code(FieldKind kind, u64 raw) {
    RegionCodes& codes = kind == FieldKind::region ? regions_ : contexts_;
    const auto [found, fresh] = codes.try_emplace(raw, 0);
    if (fresh) found->second = frames_.code(region_column_, call_->text().label(kind, raw));
    return found->second;
}

void EventFrames::put_arguments(const RecordSpan& records, const RecordBatch::Head& head) {
    std::unique_ptr<FieldPlan>& plan = plans_[head.type];
    const u8 fields = event_info(head.type).field_count;
    if (!plan) plan = std::make_unique<FieldPlan>(head.type, fields, choice_.arguments());
    if (head.attribute_count == 0 && plan->is_complete()) {
        if (plan->put(records.values(head), call_->text(), frames_)) return;
    }
    for (const u32 column : choice_.arguments()) {
        if (column != kNone) frames_.take_back(column);
    }
    sink_.begin_call({});
    sink_.begin_record(event_info(head.type).name, true);
    call_->text().pass_attributes(records.attributes(head), sink_);
    call_->text().pass_fields(head.type, records.values(head), fields, sink_);
    sink_.end_record();
    sink_.end_call();
}

namespace {

/// Columns after those of LocationColumns.
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
      frames_(choice_.columns(), request.capacity(file)),
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

/// The next complete step.
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
