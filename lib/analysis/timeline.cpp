// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline.hpp"

#include "model/mpi_function.hpp"
#include "model/record_kinds.hpp"
#include "query/call_names.hpp"
#include "query/io_files.hpp"
#include "query/thread_forks.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace tracefold {

namespace {

/// Iterations to keep; beyond, every second one is let go.
constexpr std::size_t kMostIterations = 1024;

/// Some recorders write nothing about a collective but its name.
bool is_named_collective(std::string_view region) {
    const auto info = find_mpi_function(region);
    return info && (is_collective(info->family) || info->family == CallFamily::neighbour);
}

/// What an MPI call is about, from the records in it.
TimeUse use_of(const Symbol& symbol) {
    TimeUse use = TimeUse::other_mpi;
    for (const Element& element : symbol.elements) {
        if (element.type == kCompletions) return TimeUse::point_to_point;
        const RecordKind kind = record_kind(element.type);
        if (kind == RecordKind::collectives) return TimeUse::collective;
        if (kind == RecordKind::messages) return TimeUse::point_to_point;
        if (kind == RecordKind::rma) use = TimeUse::one_sided;
    }
    return use;
}

TimeUse use_of(AcceleratorUse use) {
    switch (use) {
        case AcceleratorUse::kernel:
            return TimeUse::kernel;
        case AcceleratorUse::copy:
            return TimeUse::device_copy;
        case AcceleratorUse::wait:
            return TimeUse::device_wait;
        case AcceleratorUse::call:
            return TimeUse::device_call;
        case AcceleratorUse::idle:
            return TimeUse::idle;
        case AcceleratorUse::none:
            break;
    }
    return TimeUse::computation;
}

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

/// What regions outside of MPI are about.
struct RegionUses {
    explicit RegionUses(TraceFile& file) : threads(file), files(file) {}

    ThreadRegions threads;
    IoFiles files;
};

/// One location's calls as stretches of time.
class LaneWalker {
  public:
    LaneWalker(TraceFile& file, const RegionUses& regions, u32 location, LaneFiller& filler)
        : file_(file),
          regions_(regions),
          calls_(file, location),
          filler_(filler),
          is_worker_(is_worker(file, location)),
          on_stream_(file.definitions().locations()[location].is_stream()) {}

    /// The next call from its first record to its last; nothing at the end.
    std::optional<TickWindow> next() {
        if (!calls_.next()) return std::nullopt;
        const RecordBatch& records = calls_.records();
        const TickWindow call{records[0].time, records[records.size() - 1].time};
        if (!started_) last_ = call.begin;
        started_ = true;
        take(call);
        end_ = call.end;
        return call;
    }

    /// The time after the last MPI call.
    void finish() { fill(end_, open_use()); }

  private:
    void take(TickWindow call) {
        const CallKind kind = call_kind(calls_.symbol());
        if (managing_ && (kind == CallKind::enter || kind == CallKind::call)) {
            fill(call.begin, open_use());
            managing_ = false;
        }
        const TimeUse before = open_use();
        switch (kind) {
            case CallKind::enter:
                enter();
                break;
            case CallKind::leave:
                open_.leave(calls_.region(0).id);
                break;
            case CallKind::call:
                if (is_free() && use() != before) {
                    fill(call.begin, before);
                    fill(call.end, use());
                }
                return;
            case CallKind::record:
                if (on_stream_) note_copy();
                note_team();
                break;
        }
        if (open_use() != before) fill(call.begin, before);
    }

    void enter() {
        const CallReader::Region region = calls_.region(0);
        open_.enter({region.id, is_free() ? use() : open_use()}, region.is_mpi);
    }

    /// Copies that are accesses to a window begin and end by records of their own.
    void note_copy() {
        const u8 type = calls_.records()[0].type;
        if (begins_copy(type)) ++copies_;
        if (ends_copy(type) && copies_ > 0) --copies_;
    }

    /// Between teams a worker does nothing.
    void note_team() {
        const auto type = static_cast<EventType>(calls_.records()[0].type);
        if (!changes_thread_place(calls_.records()[0].type) && type != EventType::ThreadJoin)
            return;
        if (type == EventType::ThreadTeamBegin || type == EventType::ThreadBegin) ++teams_;
        const bool ends = type == EventType::ThreadTeamEnd || type == EventType::ThreadEnd;
        if (ends && teams_ > 0) --teams_;
        managing_ = type == EventType::ThreadFork || type == EventType::ThreadTeamBegin ||
                    type == EventType::ThreadTeamEnd;
    }

    void fill(u64 until, TimeUse use) {
        filler_.add(last_, until, use);
        last_ = until;
    }

    [[nodiscard]] TimeUse open_use() const {
        if (is_worker_ && teams_ == 0 && open_.empty()) return TimeUse::idle;
        if (managing_ && is_free()) return TimeUse::thread_wait;
        if (!open_.empty()) return open_.back().use;
        if (!on_stream_) return TimeUse::computation;
        return copies_ > 0 ? TimeUse::device_copy : TimeUse::idle;
    }

    /// What comes decides what the time goes into: threads work while they wait.
    [[nodiscard]] bool is_free() const {
        return open_.empty() || open_.back().use == TimeUse::computation ||
               open_.back().use == TimeUse::thread_wait;
    }

    /// What the call is about; computation if neither of MPI nor of an accelerator.
    TimeUse use() {
        const u32 symbol = calls_.symbol_id();
        if (uses_.empty()) uses_.resize(file_.structure().symbols.size());
        if (!uses_[symbol]) uses_[symbol] = find_out();
        return *uses_[symbol];
    }

    TimeUse find_out() {
        if (call_kind(calls_.symbol()) == CallKind::record) return TimeUse::computation;
        const u64 region = calls_.region(0).id;
        if (!file_.definitions().is_mpi_region(region)) {
            return use_outside_mpi(region);
        }
        const std::string& name = file_.definitions().region_name(region);
        if (is_set_up(name)) return TimeUse::other_mpi;
        if (regions_.files.is_io_call(region)) return TimeUse::file_io;
        return is_named_collective(name) ? TimeUse::collective : use_of(calls_.symbol());
    }

    [[nodiscard]] TimeUse use_outside_mpi(u64 region) const {
        const TimeUse use = use_of(file_.definitions().accelerator_use(region, on_stream_));
        if (use != TimeUse::computation) return use;
        if (regions_.threads.use(region) != ThreadUse::work) return TimeUse::thread_wait;
        return regions_.files.is_io_call(region) ? TimeUse::file_io : TimeUse::computation;
    }

    struct Frame {
        u64 region;
        TimeUse use;  ///< of the outermost region around that is not computation
    };

    TraceFile& file_;
    const RegionUses& regions_;
    CallReader calls_;
    LaneFiller& filler_;
    bool is_worker_;
    u32 teams_ = 0;          ///< that the worker is in
    bool managing_ = false;  ///< a team is being made or ended
    bool on_stream_;
    u64 copies_ = 0;                            ///< that run on the stream
    std::vector<std::optional<TimeUse>> uses_;  ///< by symbol
    bool started_ = false;
    u64 last_ = 0;  ///< up to here all time is in the lane
    u64 end_ = 0;
    RegionStack<Frame> open_;  ///< that hold other calls
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
            const RecordBatch& records = calls.records();
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
