// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "frames/event_frames.hpp"

#include "listing/text_sink.hpp"

#include <utility>

namespace tracefold {

namespace {

/// Columns before the arguments, behind those of the place.
enum EventPlace : u8 { kTime = 3, kEvent, kRegion };

}  // namespace

EventFrames::EventFrames(TraceFile& file, CallSelection selection, const FrameRequest& request)
    : calls_(file, std::move(selection)),
      request_(request),
      choice_(event_columns(request.ticks), request.columns),
      frames_(choice_.columns(), request.rows),
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

}  // namespace tracefold
