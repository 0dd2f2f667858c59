// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/measured_time.hpp"

#include "file/call_reader.hpp"
#include "file/record_counts.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

MeasuredTime MeasuredTime::of(std::vector<TickWindow> windows) {
    std::ranges::sort(windows, {}, &TickWindow::begin);
    MeasuredTime result;
    for (const TickWindow& it : windows) {
        if (result.empty() || result.end() < it.begin) {
            result.windows.push_back(it);
        } else {
            result.windows.back().end = std::max(result.end(), it.end);
        }
    }
    return result;
}

u64 MeasuredTime::length() const { return empty() ? 0 : within(begin(), end()); }

u64 MeasuredTime::within(u64 from, u64 to) const {
    u64 ticks = 0;
    auto it = std::ranges::upper_bound(windows, from, {}, &TickWindow::end);
    for (; it != windows.end() && it->begin < to; ++it) ticks += it->within(from, to);
    return ticks;
}

MeasuredTime MeasuredTime::clipped(u64 begin, u64 end) const {
    MeasuredTime result;
    for (const TickWindow& it : windows) {
        const TickWindow window{std::max(begin, it.begin), std::min(end, it.end)};
        if (window.begin < window.end) result.windows.push_back(window);
    }
    if (result.empty()) result.windows.push_back({begin, begin});
    return result;
}

MeasuredTime MeasuredTime::common_with(const MeasuredTime& other) const {
    MeasuredTime result;
    for (const TickWindow& it : windows) {
        for (const TickWindow& part : other.clipped(it.begin, it.end).windows) {
            if (part.length() != 0) result.windows.push_back(part);
        }
    }
    return result;
}

namespace {

/// Values of OTF2_MeasurementMode.
constexpr u64 kOff = 2;

class PartReader {
  public:
    PartReader(TraceFile& file, u32 location, const CommonClock& clock)
        : definitions_(file.definitions()), calls_(file, location), clock_(clock.map(location)) {}

    RecordedPart run() {
        while (calls_.next()) {
            for (std::size_t i = 0; i < calls_.records().size(); ++i) add(i);
        }
        if (!first_) return {};
        if (on_) part_.time.windows.push_back({*on_, last_});
        if (part_.time.empty()) part_.time.windows.push_back({last_, last_});
        part_.communicates = first_call_.has_value();
        if (!part_.is_marked) {
            part_.knows_begin = first_call_ != *first_;
            part_.knows_end = last_call_ != last_;
        }
        return std::move(part_);
    }

  private:
    void add(std::size_t record) {
        const RecordBatch::Head& head = calls_.records()[record];
        last_ = std::max(last_, clock_.common(head.time));
        if (!first_) first_ = on_ = last_;
        if (is_enter(head.type) || is_leave(head.type)) {
            if (!communicates(calls_.region(record).id)) return;
            if (!first_call_) first_call_ = last_;
            last_call_ = last_;
        } else if (static_cast<EventType>(head.type) == EventType::MeasurementOnOff) {
            switch_to(calls_.records().values(head)[0] != kOff);
        }
    }

    [[nodiscard]] bool communicates(u64 region) const {
        return definitions_.is_mpi_region(region) || definitions_.is_other_communication(region);
    }

    /// Records before a first ON are those of open regions.
    void switch_to(bool on) {
        const bool begins = on && (!on_ || !part_.is_marked);
        if (!on && on_) part_.time.windows.push_back({*on_, last_});
        if (!on) on_.reset();
        if (begins) on_ = last_;
        part_.is_marked = true;
    }

    const DefinitionIndex& definitions_;
    CallReader calls_;
    ClockMap clock_;
    RecordedPart part_;
    std::optional<u64> first_;       ///< time of the first record
    std::optional<u64> on_;          ///< begin of the current window
    std::optional<u64> first_call_;  ///< of a function that communicates
    std::optional<u64> last_call_;
    u64 last_ = 0;
};

}  // namespace

RecordedPart recorded_part(TraceFile& file, u32 location, const CommonClock& clock) {
    return PartReader(file, location, clock).run();
}

MeasuredTime buffer_flushes(TraceFile& file, u32 location, const ClockMap& clock) {
    if (!records_any(file, location, {EventType::BufferFlush})) return {};
    std::vector<TickWindow> flushes;
    for (CallReader calls(file, location); calls.next();) {
        for (std::size_t i = 0; i < calls.records().size(); ++i) {
            const RecordBatch::Head& head = calls.records()[i];
            if (static_cast<EventType>(head.type) != EventType::BufferFlush) continue;
            const u64 begin = clock.common(head.time);
            const u64 end = clock.common(calls.records().values(head)[0]);
            if (begin < end) flushes.push_back({begin, end});
        }
    }
    return MeasuredTime::of(std::move(flushes));
}

UnknownTime leave_out_unknown_time(std::vector<RecordedPart>& parts) {
    TickWindow all{~u64{0}, 0};
    TickWindow known{0, ~u64{0}};
    for (const RecordedPart& it : parts) {
        all.begin = std::min(all.begin, it.time.begin());
        all.end = std::max(all.end, it.time.end());
        if (!it.knows_begin) known.begin = std::max(known.begin, it.time.begin());
        if (!it.knows_end) known.end = std::min(known.end, it.time.end());
    }
    if (parts.empty()) return {};
    const u64 ticks = all.length() - all.within(known.begin, known.end);
    if (ticks == 0 || ticks > all.length() / 2) return {ticks, false};
    for (RecordedPart& it : parts) it.time = it.time.clipped(known.begin, known.end);
    return {ticks, true};
}

}  // namespace tracefold
