// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/thread_efficiency.hpp"

#include "base/types.hpp"
#include "file/call_reader.hpp"
#include "file/common_clock.hpp"
#include "file/recording_gaps.hpp"
#include "file/region_stack.hpp"
#include "file/thread_forks.hpp"
#include "model/record_kinds.hpp"
#include "questions/profile/path_walk.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

/// Reads the records of a thread and tracks its state between them: in MPI (without MPI, in other
/// communication), working, waiting for other threads or for an accelerator, or outside of all
/// teams.
class ThreadStates {
  public:
    struct State {
        bool mpi = false;
        ThreadUse use{};  ///< outside of MPI; in other communication, its kind of wait
        u32 node = kNone;
    };

    /// `first`: the initial thread of its process; `clock`: of the location. Others as for
    /// PathWalk.
    ThreadStates(TraceFile& file, u32 location, bool first, const ClockMap& clock, CallTree& tree,
                 TraceThreads& threads);

    /// Advances to the next record; false at the end. Throws Error(corrupt).
    bool next();

    /// Time of the record on the common clock.
    [[nodiscard]] u64 time() const { return time_; }
    [[nodiscard]] PathWalk::Step step() const { return walk_.step(); }
    /// State after the record, also valid before the first and after the last.
    [[nodiscard]] const State& now() const { return now_; }

  private:
    void note(EventType type);
    [[nodiscard]] State state();
    AcceleratorUse device_use(u32 node);
    bool communicates(u32 node);

    PathWalk walk_;
    ClockMap clock_;
    const DefinitionIndex& definitions_;
    const ThreadRegions& regions_;
    const CallTree& tree_;
    std::vector<std::optional<AcceleratorUse>> device_uses_;  ///< by node
    std::vector<std::optional<bool>> communicates_;           ///< by node
    ThreadUse unrecorded_;  ///< state before the first and after the last record
    ThreadUse outside_;     ///< state outside of all teams and regions
    bool has_mpi_;
    u64 time_ = 0;
    State now_;
    /// Inside creation or end of a team: from its record to the next region, and to the join.
    bool managing_ = false;
    u32 teams_ = 0;  ///< open teams
};

/// A sweep over time: merges the records of several locations in time order. A Walk has next()
/// (false at the end), time() of its record, and now(): the state of its location after the record.
template <class Walk>
class TimeSweep {
  public:
    template <class... Arguments>
    void add(Arguments&&... arguments) {
        walks_.emplace_back(std::forward<Arguments>(arguments)...);
    }

    /// At every record, calls `until(time)`, then `count(old state, -1)` and `count(new state, 1)`
    /// for the record's location. Call once.
    template <class Until, class Count>
    void run(const Until& until, const Count& count) {
        for (const Walk& walk : walks_) shown_.push_back(walk.now());
        for (const State& state : shown_) count(state, 1);
        const auto show = [&](u32 number) {
            count(shown_[number], -1);
            shown_[number] = walks_[number].now();
            count(shown_[number], 1);
        };
        for (u32 number = 0; number < walks_.size(); ++number) {
            if (!read(number)) show(number);
        }
        while (!next_.empty()) {
            const auto [time, number] = next_.top();
            next_.pop();
            until(time);
            show(number);
            if (!read(number)) show(number);
        }
    }

  private:
    using State = std::decay_t<decltype(std::declval<const Walk&>().now())>;
    using Next = std::pair<u64, u32>;

    bool read(u32 number) {
        const bool more = walks_[number].next();
        if (more) next_.emplace(walks_[number].time(), number);
        return more;
    }

    std::deque<Walk> walks_;
    std::vector<State> shown_;  ///< by walk
    /// Times of the last records read, by walk.
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
};

namespace {

bool is_wait(ThreadUse use) {
    return use == ThreadUse::barrier || use == ThreadUse::lock || use == ThreadUse::task_wait ||
           use == ThreadUse::join || use == ThreadUse::device_wait;
}

/// Attributes the time of a thread to its states.
class ThreadWalk {
  public:
    struct Wait {
        ThreadUse use{};
        u64 count = 0;
        u64 ticks = 0;
        u32 process = 0;
    };

    /// `first`: the initial thread of its process.
    ThreadWalk(TraceFile& file, u32 location, bool first, const ProcessSpan& span,
               const ClockMap& clock, CallTree& tree, TraceThreads& threads)
        : states_(file, location, first, clock, tree, threads),
          tree_(tree),
          measured_(span.time),
          flushes_(buffer_flushes(file, location, clock).common_with(span.time)),
          last_(span.time.begin()) {
        times_.location = location;
    }

    ThreadTimes run() {
        ThreadStates::State before = states_.now();
        while (states_.next()) {
            charge(before, states_.time());
            before = states_.now();
            const bool entered = states_.step() == PathWalk::Step::entered;
            if (entered && last_ < measured_.end() && is_wait(before.use)) ++wait_at(before).count;
        }
        charge(states_.now(), measured_.end());
        return times_;
    }

    /// By tree node.
    [[nodiscard]] const std::vector<Wait>& waits() const { return waits_; }

  private:
    void charge(const ThreadStates::State& state, u64 time) {
        if (time <= last_) return;
        const u64 measured = measured_.within(last_, time);
        const u64 overhead = state.mpi ? 0 : flushes_.within(last_, time);
        const u64 ticks = measured - overhead;
        last_ = time;
        times_.uses[static_cast<std::size_t>(ThreadUse::overhead)] += overhead;
        (state.mpi ? times_.mpi : times_.uses[static_cast<std::size_t>(state.use)]) += ticks;
        if (is_wait(state.use)) wait_at(state).ticks += ticks;
    }

    Wait& wait_at(const ThreadStates::State& state) {
        if (state.node >= waits_.size()) waits_.resize(tree_.size());
        waits_[state.node].use = state.use;
        return waits_[state.node];
    }

    ThreadStates states_;
    const CallTree& tree_;
    const MeasuredTime& measured_;
    MeasuredTime flushes_;
    u64 last_;  ///< end of the attributed time
    ThreadTimes times_;
    std::vector<Wait> waits_;
};

/// Threads with events, by process.
std::vector<std::vector<u32>> threads_of_processes(TraceFile& file) {
    const DefinitionIndex& definitions = file.definitions();
    std::vector<std::vector<u32>> threads(definitions.process_count());
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& it = definitions.locations()[location];
        const std::optional<u32> process = definitions.process(it);
        if (process && it.is_thread() && has_events(file, location)) {
            threads[*process].push_back(location);
        }
    }
    return threads;
}

}  // namespace

bool has_threads(TraceFile& file) {
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (starts_threads(file, location)) return true;
    }
    if (file.definitions().world_size() != 0) return false;
    return std::ranges::any_of(threads_of_processes(file),
                               [](const auto& threads) { return threads.size() > 1; });
}

std::vector<u32> threads_of(TraceFile& file, std::span<const u32> locations) {
    std::vector<u32> threads;
    for (const u32 location : locations) {
        const bool is_thread = file.definitions().locations()[location].is_thread();
        if (is_thread && has_events(file, location)) threads.push_back(location);
    }
    return threads;
}

std::vector<ProcessSpan> processes_of(TraceFile& file) {
    const CommonClock clock = common_clock(file);
    std::vector<ProcessSpan> processes;
    u32 number = 0;
    for (std::vector<u32>& threads : threads_of_processes(file)) {
        const u32 process = number++;
        if (threads.empty()) continue;
        std::vector<TickWindow> windows;
        bool is_marked = false;
        for (const u32 location : threads) {
            const RecordedPart part = recorded_part(file, location, clock);
            windows.insert(windows.end(), part.time.windows.begin(), part.time.windows.end());
            is_marked = is_marked || part.is_marked;
        }
        if (windows.empty()) windows.emplace_back();
        MeasuredTime time = MeasuredTime::of(std::move(windows));
        if (!is_marked) time.windows = {{time.begin(), time.end()}};
        processes.push_back({std::move(threads), std::move(time), process});
    }
    return processes;
}

ThreadEfficiency thread_efficiency(TraceFile& file, const std::vector<ProcessSpan>& processes) {
    ThreadEfficiency result;
    const CommonClock clock = common_clock(file);
    CallTree tree;
    TraceThreads threads(file);
    std::map<std::pair<u32, u32>, ThreadWalk::Wait> waits;  // by node and location
    for (u32 process = 0; process < processes.size(); ++process) {
        const ProcessSpan& span = processes[process];
        for (const u32 location : forking_first(file, span.locations)) {
            const bool first = location == span.locations.front();
            ThreadWalk walk(file, location, first, span, clock.map(location), tree, threads);
            result.threads.push_back(walk.run());
            result.threads.back().process = process;
            for (u32 node = 0; node < walk.waits().size(); ++node) {
                const ThreadWalk::Wait& wait = walk.waits()[node];
                if (wait.count == 0 && wait.ticks == 0) continue;
                waits[{node, location}] = {wait.use, wait.count, wait.ticks, process};
            }
        }
    }
    for (const auto& [place, wait] : waits) {
        const auto [node, location] = place;
        result.waits.push_back({path_of(file.definitions(), tree, node), location, wait.process,
                                wait.use, wait.count, wait.ticks});
    }
    return result;
}

u64 mpi_loss(TraceFile& file, const CommonClock& clock, const ProcessSpan& process) {
    CallTree tree;
    TraceThreads threads(file);
    TimeSweep<ThreadStates> sweep;
    for (const u32 location : process.locations) {
        sweep.add(file, location, location == process.locations.front(), clock.map(location), tree,
                  threads);
    }
    u64 last = process.time.begin();
    u64 lost = 0;
    i64 in_mpi = 0;
    i64 waiting = 0;
    const auto until = [&](u64 time) {
        if (time <= last) return;
        if (in_mpi > 0) {
            lost += process.time.within(last, time) * static_cast<u64>(in_mpi + waiting);
        }
        last = time;
    };
    sweep.run(until, [&](const ThreadStates::State& state, int change) {
        if (state.mpi) {
            in_mpi += change;
        } else if (state.use != ThreadUse::work && !is_of_device(state.use)) {
            waiting += change;
        }
    });
    until(process.time.end());
    return lost;
}

ThreadStates::ThreadStates(TraceFile& file, u32 location, bool first, const ClockMap& clock,
                           CallTree& tree, TraceThreads& threads)
    : walk_(file, location, location, Times::read, tree, threads),
      clock_(clock),
      definitions_(file.definitions()),
      regions_(threads.regions),
      tree_(tree),
      unrecorded_(first ? ThreadUse::work : ThreadUse::idle),
      outside_(unrecorded_),
      has_mpi_(definitions_.world_size() != 0),
      now_{false, unrecorded_, kNone} {
    // No team records show when it works.
    if (!has_mpi_ && !is_worker(file, location)) outside_ = ThreadUse::work;
}

bool ThreadStates::next() {
    if (!walk_.next()) {
        now_ = {false, unrecorded_, kNone};
        return false;
    }
    time_ = clock_.common(walk_.head().time);
    note(static_cast<EventType>(walk_.head().type));
    now_ = state();
    return true;
}

void ThreadStates::note(EventType type) {
    switch (type) {
        case EventType::ThreadFork:
            managing_ = true;
            break;
        case EventType::ThreadTeamBegin:
            managing_ = true;
            ++teams_;
            break;
        case EventType::ThreadBegin:
            ++teams_;
            break;
        case EventType::ThreadTeamEnd:
            managing_ = true;
            [[fallthrough]];
        case EventType::ThreadEnd:
            teams_ -= teams_ == 0 ? 0 : 1;
            break;
        case EventType::ThreadJoin:
            managing_ = false;
            break;
        default:
            if (walk_.step() == PathWalk::Step::entered) managing_ = false;
    }
}

ThreadStates::State ThreadStates::state() {
    const u32 node = walk_.here();
    if (walk_.in_mpi_call()) return {true, ThreadUse::work, node};
    if (!has_mpi_ && node != kNone && !walk_.is_attached() && communicates(node)) {
        const bool in_region = tree_[node].kind == CallTree::Kind::region;
        return {true, in_region ? regions_.use(tree_[node].ref) : ThreadUse::work, node};
    }
    if (teams_ == 0 && node == kNone) {
        const bool forks = managing_ && outside_ == ThreadUse::work;
        return {false, forks ? ThreadUse::management : outside_, node};
    }
    if (managing_) return {false, ThreadUse::management, node};
    // The innermost region belongs to another thread.
    if (node == kNone || walk_.is_attached()) return {false, ThreadUse::work, node};
    switch (device_use(node)) {
        case AcceleratorUse::wait:
            return {false, ThreadUse::device_wait, node};
        case AcceleratorUse::copy:
            return {false, ThreadUse::device_copy, node};
        case AcceleratorUse::call:
            return {false, ThreadUse::device_call, node};
        default:
            break;
    }
    const bool in_region = tree_[node].kind == CallTree::Kind::region;
    return {false, in_region ? regions_.use(tree_[node].ref) : ThreadUse::work, node};
}

/// The use of the outermost accelerator region on the node's path.
AcceleratorUse ThreadStates::device_use(u32 node) {
    if (node >= device_uses_.size()) device_uses_.resize(tree_.size());
    if (device_uses_[node]) return *device_uses_[node];
    const CallTree::Node& it = tree_[node];
    AcceleratorUse use = it.parent == kNone ? AcceleratorUse::none : device_use(it.parent);
    if (use == AcceleratorUse::none && it.kind == CallTree::Kind::region) {
        use = definitions_.accelerator_use(it.ref, false);
    }
    device_uses_[node] = use;
    return use;
}

/// Whether the node or one of its ancestors is a communication function.
bool ThreadStates::communicates(u32 node) {
    if (node >= communicates_.size()) communicates_.resize(tree_.size());
    if (communicates_[node]) return *communicates_[node];
    const CallTree::Node& it = tree_[node];
    const bool is_one =
        (it.kind == CallTree::Kind::region && definitions_.is_other_communication(it.ref)) ||
        (it.parent != kNone && communicates(it.parent));
    communicates_[node] = is_one;
    return is_one;
}

namespace {

/// Reads the records of an accelerator stream and tracks its operation between them.
class StreamStates {
  public:
    StreamStates(TraceFile& file, u32 location, const ClockMap& clock)
        : stream_(file, location),
          clock_(clock),
          definitions_(file.definitions()),
          open_(file.definitions().locations()[location].is_stream()) {}

    /// Advances to the next record; false at the end. Throws Error(corrupt).
    bool next() {
        while (record_ == stream_.records().size()) {
            record_ = 0;
            over_ = !stream_.next();
            if (over_) return false;
        }
        take();
        ++record_;
        return true;
    }

    /// Time of the record on the common clock.
    [[nodiscard]] u64 time() const { return time_; }
    /// Current kernel, copy, other operation, or none. Kernels take precedence over copies.
    [[nodiscard]] AcceleratorUse now() const {
        if (over_) return AcceleratorUse::none;
        if (kernels_ > 0) return AcceleratorUse::kernel;
        if (copies_ > 0) return AcceleratorUse::copy;
        return others_ > 0 ? AcceleratorUse::call : AcceleratorUse::none;
    }

  private:
    struct Frame {
        u64 region;
        AcceleratorUse use;
    };

    void take() {
        const RecordBatch::Head& head = stream_.records()[record_];
        time_ = clock_.common(head.time);
        if (is_enter(head.type)) {
            const u64 region = stream_.region(record_).id;
            const AcceleratorUse use = definitions_.accelerator_use(region, true);
            open_.enter({region, use}, false);
            count(use, 1);
        } else if (is_leave(head.type)) {
            for (const Frame& frame : open_.leave(stream_.region(record_).id)) count(frame.use, -1);
        } else if (begins_copy(head.type)) {
            ++copies_;
        } else if (ends_copy(head.type) && copies_ > 0) {
            --copies_;
        }
    }

    void count(AcceleratorUse use, i64 change) {
        if (use == AcceleratorUse::kernel) kernels_ += change;
        if (use == AcceleratorUse::copy) copies_ += change;
        if (use == AcceleratorUse::call) others_ += change;
    }

    CallReader stream_;
    ClockMap clock_;
    const DefinitionIndex& definitions_;
    RegionStack<Frame> open_;
    i64 kernels_ = 0;  ///< running kernels
    i64 copies_ = 0;
    i64 others_ = 0;
    std::size_t record_ = 0;
    u64 time_ = 0;
    bool over_ = false;
};

/// Attributes the measured ticks. Returns true if the streams run only operations
/// that are no device work.
bool sweep(TraceFile& file, const CommonClock& clock, const std::vector<u32>& streams,
           const MeasuredTime& measured, DeviceTimes& times) {
    TimeSweep<StreamStates> sweep;
    for (const u32 location : streams) sweep.add(file, location, clock.map(location));
    i64 kernels = 0;  // streams that run a kernel
    i64 copies = 0;
    bool works = false;
    bool is_used = false;
    u64 last = measured.begin();
    const auto until = [&](u64 time) {
        if (time <= last) return;
        const u64 ticks = measured.within(std::exchange(last, time), time);
        if (kernels > 0) {
            times.kernels += ticks;
        } else if (copies > 0) {
            times.copies += ticks;
        }
    };
    sweep.run(until, [&](AcceleratorUse use, int change) {
        if (use == AcceleratorUse::kernel) kernels += change;
        if (use == AcceleratorUse::copy) copies += change;
        works = works || use == AcceleratorUse::kernel || use == AcceleratorUse::copy;
        is_used = is_used || use == AcceleratorUse::call;
    });
    until(measured.end());
    return is_used && !works;
}

/// Time in which any process is observed.
MeasuredTime time_of_all(const std::vector<ProcessSpan>& processes) {
    std::vector<TickWindow> windows;
    for (const ProcessSpan& process : processes) {
        windows.insert(windows.end(), process.time.windows.begin(), process.time.windows.end());
    }
    if (windows.empty()) windows.emplace_back();
    return MeasuredTime::of(std::move(windows));
}

}  // namespace

std::vector<DeviceTimes> device_times(TraceFile& file, const std::vector<ProcessSpan>& processes) {
    const DefinitionIndex& definitions = file.definitions();
    std::map<std::pair<u32, u64>, std::vector<u32>> devices;  // by process and location group
    std::set<u64> groups_with_threads;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& it = definitions.locations()[location];
        if (it.is_thread()) groups_with_threads.insert(it.group);
        if (!it.is_stream()) continue;
        devices[{definitions.process(it).value_or(kNone), it.group}].push_back(location);
    }
    if (devices.empty()) return {};
    const CommonClock clock = common_clock(file);
    const MeasuredTime all = time_of_all(processes);
    std::vector<DeviceTimes> result;
    for (const auto& [key, streams] : devices) {
        const auto [process, group] = key;
        const auto found = std::ranges::find(processes, process, &ProcessSpan::number);
        const MeasuredTime& time = found == processes.end() ? all : found->time;
        DeviceTimes times;
        times.name = definitions.location_group_name(group);
        times.process = process;
        times.streams = static_cast<u32>(streams.size());
        times.span = time.length();
        const bool manages_memory = sweep(file, clock, streams, time, times);
        if (!manages_memory || !groups_with_threads.contains(group)) result.push_back(times);
    }
    return result;
}

}  // namespace tracefold
