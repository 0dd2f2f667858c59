// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/calls/call_lister.hpp"

#include "file/call_names.hpp"
#include "model/definition_names.hpp"
#include "model/event_table.hpp"
#include "questions/calls/text_sink.hpp"

namespace tracefold {

namespace {

constexpr u8 kTypeString = 11;                   // OTF2_TYPE_STRING, the first reference type
constexpr u64 kUndefinedSigned = u64{1} << 63U;  // OTF2_UNDEFINED_INT64

}  // namespace

const std::string& RecordText::label(FieldKind kind, u64 raw) {
    auto& known = labels_[mapping_type(kind)];
    const auto found = known.find(raw);
    if (found != known.end()) return found->second;
    return known.emplace(raw, names_.label(kind, tables_.global(kind, raw))).first->second;
}

void RecordText::pass_fields(u8 type, std::span<const u64> values, u8 field_count, CallSink& sink) {
    const RecordInfo& info = event_info(type);
    std::span<const u64> types;
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < field_count; ++i) {
        const Field& field = info.fields[i];
        const std::span<const u64> items = values.subspan(position, field.array ? repeat : 1);
        position += items.size();
        if (field.kind == FieldKind::count) {
            repeat = items[0];
            continue;
        }
        if (field.kind == FieldKind::type) {
            types = items;
            continue;
        }
        sink.begin_field(short_field_name(field.name), field.array);
        for (std::size_t k = 0; k < items.size(); ++k) {
            if (field.name == "metric_values") {
                pass_typed(static_cast<u8>(types[k]), items[k], sink);
            } else {
                pass_value(info, field, items[k], sink);
            }
        }
        sink.end_field();
    }
}

void RecordText::pass_value(const RecordInfo& info, const Field& field, u64 value, CallSink& sink) {
    if (is_mapped(field.kind)) {
        sink.word(label(field.kind, value));
        return;
    }
    switch (field.kind) {
        case FieldKind::op:
        case FieldKind::enumeration:
            sink.word(enumerator_name(enumeration_of(info.name, field.name), value));
            return;
        case FieldKind::peer:
        case FieldKind::root: {
            const std::string_view special = special_rank_name(value);
            special.empty() ? sink.number(value) : sink.word(std::string(special));
            return;
        }
        case FieldKind::signed_value:
            value == kUndefinedSigned ? sink.word("undefined")
                                      : sink.number_text(std::to_string(static_cast<i64>(value)));
            return;
        case FieldKind::ticks:
            sink.number_text(definitions_.tick_rate().seconds_text(clock_(value)));
            return;
        case FieldKind::paradigm:
        case FieldKind::io_paradigm:
            sink.word(names_.label(field.kind, value));
            return;
        default:
            sink.number(value);
    }
}

void RecordText::pass_attributes(std::span<const Attribute> attributes, CallSink& sink) {
    for (const Attribute& attribute : attributes) {
        sink.begin_field(label(FieldKind::attribute, attribute.ref), false);
        pass_typed(attribute.type, attribute.value, sink);
        sink.end_field();
    }
}

/// OTF2 numbers reference types like the kinds of mapping tables.
void RecordText::pass_typed(u8 type, u64 value, CallSink& sink) {
    if (type >= kTypeString && type < kTypeString + kMappingKinds) {
        sink.word(
            label(static_cast<FieldKind>(static_cast<u8>(FieldKind::string) + type - kTypeString),
                  value));
    } else {
        sink.number_text(typed_value_text(type, value));
    }
}

bool is_plain(u8 type) {
    switch (static_cast<EventType>(type)) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
        case EventType::MpiRecv:
        case EventType::MpiIrecvRequest:
        case EventType::MpiCollectiveEnd:
        case EventType::NonBlockingCollectiveRequest:
        case EventType::MpiProbe:
        case EventType::MpiMrecv:
        case EventType::MpiImrecvRequest:
            return true;
        default:
            return false;
    }
}

bool is_silent(u8 type) {
    return type == static_cast<u8>(EventType::MpiCollectiveBegin) ||
           type == static_cast<u8>(EventType::RmaCollectiveBegin);
}

CallLister::CallLister(TraceFile& file, const DefinitionNames& names, const CommonClock& clock,
                       std::string label, u32 location, Times times)
    : file_(file),
      clock_(clock),
      location_(location),
      stream_(file, location, times),
      text_(file.definitions(), names, stream_.tables(),
            [&clock, location](u64 ticks) { return clock.since_start(location, ticks); }),
      label_(std::move(label)) {}

bool CallLister::next() {
    if (!read()) return false;
    describe();
    return true;
}

void CallLister::describe(std::optional<u64> step) {
    const RecordSpan records = stream_.records();
    const Head& first = records[0];
    head_.kind = call_kind(stream_.symbol());
    head_.location = label_;
    head_.step = step;
    if (head_.kind != CallKind::record) {
        head_.name = text_.label(event_info(first.type).fields[0].kind, values(first)[0]);
    } else {
        const bool run = stream_.symbol().elements.front().type == kCompletions;
        head_.name = run ? "completions" : event_info(first.type).name;
    }
    if (file_.summary().timing == TimingLevel::none) return;
    head_.begin = clock_.since_start(location_, first.time);
    head_.span.reset();
    if (head_.kind == CallKind::call) {
        head_.span = TickSpan::between(first.time, records[records.size() - 1].time);
    }
}

void CallLister::pass(CallSink& sink) {
    sink.begin_call(head_);
    switch (head_.kind) {
        case CallKind::call:
            pass_call(sink);
            break;
        case CallKind::enter:
        case CallKind::leave:
            pass_attributes_of(stream_.records()[0], sink);
            break;
        case CallKind::record:
            pass_alone(sink);
            break;
    }
    sink.end_call();
}

/// Attributes of a call's Enter and Leave.
void CallLister::pass_attributes_of(const Head& head, CallSink& sink) {
    if (stream_.records().attributes(head).empty()) return;
    sink.begin_record(event_info(head.type).name, true);
    text_.pass_attributes(stream_.records().attributes(head), sink);
    sink.end_record();
}

/// Passes the records between Enter and Leave.
void CallLister::pass_call(CallSink& sink) {
    const RecordSpan records = stream_.records();
    pass_attributes_of(records[0], sink);
    pass_between(1, records.size() - 1, sink);
    pass_attributes_of(records[records.size() - 1], sink);
}

/// A symbol outside of a call: a record or a run of completions.
void CallLister::pass_alone(CallSink& sink) {
    if (stream_.symbol().elements.front().type == kCompletions) {
        pass_between(0, stream_.records().size(), sink);
    } else {
        pass_record(0, true, sink);
    }
}

void CallLister::pass_between(std::size_t begin, std::size_t end, CallSink& sink) {
    const RecordSpan records = stream_.records();
    const auto completes = [this](std::size_t record) {
        return stream_.element_of(record).type == kCompletions;
    };
    for (std::size_t record = begin; record < end;) {
        if (!completes(record)) {
            const u8 type = records[record].type;
            const bool plain = is_plain(type) && !stream_.element_of(record).raw;
            if (!is_silent(type)) pass_record(record, plain, sink);
            ++record;
            continue;
        }
        sink.begin_record("Completions", true);
        sink.begin_field("completed", true);
        for (; record < end && completes(record); ++record) {
            // The request is the last field of every completion.
            sink.number(values(records[record]).back());
        }
        sink.end_field();
        sink.end_record();
    }
}

void CallLister::pass_record(std::size_t record, bool plain, CallSink& sink) {
    const Head& head = stream_.records()[record];
    sink.begin_record(event_info(head.type).name, plain);
    text_.pass_attributes(stream_.records().attributes(head), sink);
    for (const CallReader::Posted& posted : stream_.posted()) {
        if (posted.record == record) pass_posted(posted, sink);
    }
    text_.pass_fields(head.type, values(head), event_info(head.type).field_count, sink);
    sink.end_record();
}

void CallLister::pass_posted(const CallReader::Posted& posted, CallSink& sink) {
    if (posted.completes) {
        const u8 fields = static_cast<u8>(event_info(posted.completion).field_count - 1);
        text_.pass_fields(posted.completion, posted.fields, fields, sink);
    } else {
        sink.flag("never_completed");
    }
}

}  // namespace tracefold
