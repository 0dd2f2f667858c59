// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/paraver_timeline.hpp"

#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

auto message_key(const ParaverMessageEnd& end) {
    return std::tie(end.sender, end.receiver, end.comm, end.tag, end.number);
}

TextOut& operator<<(TextOut& out, const ParaverPlace& place) {
    return out << place.cpu << ":1:" << place.task << ':' << place.thread << ':';
}

}  // namespace

bool ParaverMessageEnd::operator<(const ParaverMessageEnd& other) const {
    return std::tuple_cat(message_key(*this), std::tie(receives)) <
           std::tuple_cat(message_key(other), std::tie(other.receives));
}

bool ParaverMessageEnd::is_other_end_of(const ParaverMessageEnd& other) const {
    return message_key(*this) == message_key(other) && receives != other.receives;
}

bool ParaverTimeline::Record::operator<(const Record& other) const {
    return std::tie(time, kind, location, number) <
           std::tie(other.time, other.kind, other.location, other.number);
}

void ParaverTimeline::add(Record record) {
    record.number = records_.count();
    records_.add(record);
}

void ParaverTimeline::state(u32 location, u64 begin, u64 end, ParaverState state) {
    if (end <= begin) return;
    end_ = std::max(end_, end);
    add({.time = begin,
         .kind = Kind::state,
         .location = location,
         .a = end,
         .b = static_cast<u64>(state)});
}

void ParaverTimeline::event(u32 location, u64 time, u32 type, u64 value, bool joins) {
    end_ = std::max(end_, time);
    add({.time = time,
         .kind = Kind::event,
         .location = location,
         .a = type,
         .b = value,
         .tag = joins ? 1U : 0U});
}

ParaverTimeline::Messages ParaverTimeline::join_messages() {
    Messages result;
    std::optional<ParaverMessageEnd> send;
    ends_.finish();
    ends_.for_each([&](const ParaverMessageEnd& end) {
        if (send && end.is_other_end_of(*send)) {
            ++result.whole;
            result.backwards += end.end < send->begin ? 1 : 0;
            end_ = std::max(end_, end.end);
            add({.time = send->begin,
                 .kind = Kind::message,
                 .location = send->location,
                 .a = end.begin,
                 .b = end.end,
                 .bytes = send->bytes,
                 .receiver = end.location,
                 .tag = end.tag});
            send.reset();
            return;
        }
        result.never_received += send ? 1 : 0;
        send.reset();
        if (end.receives == 0) {
            send = end;
        } else {
            ++result.never_sent;
        }
    });
    result.never_received += send ? 1 : 0;
    records_.finish();
    return result;
}

ParaverTimeline::Parts ParaverTimeline::parts(u32 threads, u64 records) const {
    std::vector<u64> times;
    for (u64 last = 0; const Record& cut : records_.cuts(records)) {
        if (cut.time != std::exchange(last, cut.time)) times.push_back(cut.time);
    }
    return records_.divide(
        times, [](const Record& record, u64 time) { return record.time < time; }, threads);
}

/// What joins a record has its time, and is in the same part therefore.
void ParaverTimeline::write(const Parts& parts, std::size_t part,
                            const std::vector<ParaverPlace>& places, TextOut& out) const {
    const char* line_end = "";
    records_.for_each(parts, part, [&](const Record& record) {
        const bool joins = record.kind == Kind::event && record.tag != 0;
        if (!joins) {
            out << line_end << static_cast<u32>(record.kind) << ':' << places[record.location]
                << record.time << ':';
        } else {
            out << ':';
        }
        line_end = "\n";
        if (record.kind == Kind::message) {
            out << record.time << ':' << places[record.receiver] << record.a << ':' << record.b
                << ':' << record.bytes << ':' << record.tag;
        } else {
            out << record.a << ':' << record.b;
        }
    });
    out << line_end;
}

}  // namespace tracefold
