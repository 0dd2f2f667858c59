// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/record/time_map.hpp"

#include "replay/detail/executor.hpp"

#include <algorithm>

namespace tracefold {

std::string MeasuredCallTimes::encoded() const {
    ByteWriter out;
    out.put_varint(end_);
    out.put_varint(calls_.size());
    u64 last = 0;
    for (const Call& call : calls_) {
        out.put_varint(call.begin - last);
        out.put_varint(call.end - call.begin);
        last = call.end;
    }
    return out.take();
}

MeasuredCallTimes MeasuredCallTimes::decoded(std::string_view bytes) {
    ByteReader in(bytes, "the times of another process");
    MeasuredCallTimes times;
    times.end_ = in.get_varint();
    u64 last = 0;
    for (u64 left = in.get_count(2); left > 0; --left) {
        const u64 begin = last + in.get_varint();
        last = begin + in.get_varint();
        times.add(begin, last);
    }
    return times;
}

TimeMap::TimeMap(MpiCallReader program, MeasuredCallTimes times, const Start& start)
    : program_(std::move(program)),
      times_(std::move(times)),
      start_(start),
      last_{start.ticks, start.begin} {
    next_ = next_moment();
}

/// Begin and end of every issued call, and the end of the program.
std::optional<TimeMap::TimePoint> TimeMap::next_moment() {
    if (end_) return std::exchange(end_, std::nullopt);
    for (MpiCall mpi_call; program_.next(mpi_call);) {
        if (mpi_call.family == CallFamily::finalize) {
            return TimePoint{mpi_call.begin, start_.begin + times_.end()};
        }
        if (treatment_of(mpi_call) != Treatment::issued) continue;
        if (call_ == times_.calls().size()) break;
        const MeasuredCallTimes::Call& call = times_.calls()[call_++];
        end_ = TimePoint{mpi_call.end, start_.begin + call.end};
        return TimePoint{mpi_call.begin, start_.begin + call.begin};
    }
    return std::nullopt;
}

/// Only threads can have times that contradict the order of the trace.
void TimeMap::advance() {
    const u64 before = last_.time;
    last_ = *next_;
    last_.time = std::max(last_.time, before);
    next_ = next_moment();
}

u64 TimeMap::at(u64 ticks) {
    const double pace = start_.nanoseconds_per_tick;
    if (ticks < start_.ticks && ticks < last_.ticks) {
        const auto lead = static_cast<u64>(static_cast<double>(last_.ticks - ticks) * pace);
        return last_.time - std::min(lead, last_.time);
    }
    while (next_ && next_->ticks < ticks) advance();
    // Several times at one tick belong to one record each.
    if (next_ && next_->ticks == ticks) advance();
    if (ticks <= last_.ticks) return last_.time;
    const auto passed = static_cast<double>(ticks - last_.ticks);
    if (!next_) return last_.time + static_cast<u64>(passed * pace);
    const u64 room = next_->time > last_.time ? next_->time - last_.time : 0;
    const double part = passed / static_cast<double>(next_->ticks - last_.ticks);
    return last_.time + static_cast<u64>(part * static_cast<double>(room));
}

}  // namespace tracefold
