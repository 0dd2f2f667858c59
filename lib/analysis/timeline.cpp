// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline.hpp"

#include "analysis/use_tracker.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace tracefold {

namespace {

/// Iterations to keep; beyond, every second one is let go.
constexpr std::size_t kMostIterations = 1024;

/// Shares a lane's time out among its columns.
class LaneFiller {
  public:
    LaneFiller(Timeline::Lane& lane, TickWindow window)
        : lane_(lane), window_(window), width_(column_width(window, lane.columns.size())) {}

    void add(u64 begin, u64 end, TimeUse use) {
        begin = std::max(begin, window_.begin);
        end = std::min(end, window_.end);
        while (begin < end) {
            const std::size_t column = column_of(begin);
            const u64 stop = std::min(end, start_of(column + 1));
            lane_.columns[column][static_cast<std::size_t>(use)] += stop - begin;
            begin = stop;
        }
    }

  private:
    [[nodiscard]] u64 start_of(std::size_t column) const { return window_.begin + width_ * column; }
    [[nodiscard]] std::size_t column_of(u64 tick) const {
        return static_cast<std::size_t>((tick - window_.begin) / width_);
    }

    Timeline::Lane& lane_;
    TickWindow window_;
    u64 width_;
};

/// Notes when the iterations of a loop begin and end.
class IterationNotes {
  public:
    IterationNotes(std::vector<Timeline::Iteration>& notes, TickWindow window)
        : notes_(notes), window_(window) {}

    void see(const std::optional<u64>& iteration, TickWindow call) {
        if (iteration != number_) begin(iteration, call.begin);
        if (open_) notes_.back().span.end = call.end;
    }

  private:
    void begin(const std::optional<u64>& iteration, u64 tick) {
        if (open_) notes_.back().span.end = tick;
        number_ = iteration;
        open_ =
            iteration && *iteration % stride_ == 0 && tick >= window_.begin && tick < window_.end;
        if (!open_) return;
        if (notes_.size() == kMostIterations) thin();
        open_ = *iteration % stride_ == 0;
        if (open_) notes_.push_back({*iteration, {tick, tick}});
    }

    void thin() {
        stride_ *= 2;
        std::erase_if(
            notes_, [this](const Timeline::Iteration& note) { return note.number % stride_ != 0; });
    }

    std::vector<Timeline::Iteration>& notes_;
    TickWindow window_;
    std::optional<u64> number_;
    u64 stride_ = 1;
    bool open_ = false;  ///< the last note is of the present iteration
};

/// One location's calls as stretches of time.
class LaneWalker {
  public:
    LaneWalker(TraceFile& file, const RegionUses& regions, u32 location, LaneFiller& filler)
        : uses_(file, regions, location),
          calls_(file, location),
          filler_(filler),
          tracker_(is_worker(file, location), uses_.on_stream()) {}

    /// The next call from its first record to its last; nothing at the end.
    std::optional<TickWindow> next() {
        if (!calls_.next()) return std::nullopt;
        const RecordSpan records = calls_.records();
        const TickWindow call{records[0].time, records[records.size() - 1].time};
        tracker_.take(uses_.of(calls_), call,
                      [this](u64 begin, u64 end, TimeUse use) { filler_.add(begin, end, use); });
        return call;
    }

    /// The time after the last MPI call.
    void finish() {
        tracker_.finish([this](u64 begin, u64 end, TimeUse use) { filler_.add(begin, end, use); });
    }

  private:
    SymbolUses uses_;
    CallReader calls_;
    LaneFiller& filler_;
    UseTracker tracker_;
};

void fill_lane(TraceFile& file, const RegionUses& regions, const LocationSteps* steps,
               Timeline& timeline, Timeline::Lane& lane) {
    if (file.index().script(Stream::events, lane.location) == kNone) return;
    LaneFiller filler(lane, timeline.window);
    LaneWalker calls(file, regions, lane.location, filler);
    StepCounter counter(steps);
    IterationNotes notes(timeline.iterations, timeline.window);
    while (const std::optional<TickWindow> call = calls.next()) {
        counter.next();
        notes.see(counter.step(), *call);
    }
    calls.finish();
}

}  // namespace

bool is_set_up(std::string_view region) {
    return is_of_family(region, CallFamily::init) || is_of_family(region, CallFamily::finalize);
}

std::string_view time_use_name(TimeUse use) {
    switch (use) {
        case TimeUse::computation:
            return "computation";
        case TimeUse::point_to_point:
            return "point-to-point";
        case TimeUse::collective:
            return "collective";
        case TimeUse::one_sided:
            return "one-sided";
        case TimeUse::other_mpi:
            return "other MPI";
        case TimeUse::kernel:
            return "kernel";
        case TimeUse::device_copy:
            return "device copy";
        case TimeUse::device_wait:
            return "wait for device";
        case TimeUse::device_call:
            return "device call";
        case TimeUse::thread_wait:
            return "wait for threads";
        case TimeUse::file_io:
            return "file I/O";
        case TimeUse::idle:
            break;
    }
    return "idle";
}

TickWindow recorded_window(TraceFile& file, const std::vector<u32>& locations) {
    TickWindow window{std::numeric_limits<u64>::max(), 0};
    for (const u32 location : locations) {
        CallReader calls(file, location);
        while (calls.next()) {
            const RecordSpan records = calls.records();
            window.begin = std::min(window.begin, records[0].time);
            window.end = std::max(window.end, records[records.size() - 1].time);
        }
    }
    return window.begin <= window.end ? window : TickWindow{};
}

Timeline make_timeline(TraceFile& file, const std::vector<u32>& locations, TickWindow window,
                       std::size_t columns, const LocationSteps* steps) {
    Timeline timeline;
    timeline.window = window;
    for (const u32 location : locations) {
        timeline.lanes.push_back({location, std::vector<Timeline::Column>(columns)});
    }
    const RegionUses regions(file);
    for (Timeline::Lane& lane : timeline.lanes) {
        const bool first = &lane == timeline.lanes.data();
        fill_lane(file, regions, first ? steps : nullptr, timeline, lane);
    }
    return timeline;
}

}  // namespace tracefold
