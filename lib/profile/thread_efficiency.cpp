// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/thread_efficiency.hpp"

#include "analysis/node_clocks.hpp"
#include "analysis/tick_window.hpp"
#include "profile/thread_states.hpp"
#include "profile/time_sweep.hpp"
#include "profile/trace_profile.hpp"
#include "query/recording_gaps.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

bool is_wait(ThreadUse use) {
    return use == ThreadUse::barrier || use == ThreadUse::lock || use == ThreadUse::task_wait ||
           use == ThreadUse::join || use == ThreadUse::device_wait;
}

/// Shares the time of a thread out among what it does.
class ThreadWalk {
  public:
    struct Wait {
        ThreadUse use{};
        u64 count = 0;
        u64 ticks = 0;
        u32 process = 0;
    };

    /// `first`: the thread is the one that its process began with.
    ThreadWalk(TraceFile& file, u32 location, bool first, const ProcessSpan& span,
               const ClockMap& clock, CallTree& tree, TraceThreads& threads)
        : states_(file, location, first, clock, tree, threads),
          tree_(tree),
          end_(span.end),
          last_(span.begin) {
        times_.location = location;
    }

    ThreadTimes run() {
        ThreadStates::State before = states_.now();
        while (states_.next()) {
            charge(before, states_.time());
            before = states_.now();
            const bool entered = states_.step() == PathWalk::Step::entered;
            if (entered && last_ < end_ && is_wait(before.use)) ++wait_at(before).count;
        }
        charge(states_.now(), end_);
        return times_;
    }

    /// By node of the tree.
    [[nodiscard]] const std::vector<Wait>& waits() const { return waits_; }

  private:
    void charge(const ThreadStates::State& state, u64 time) {
        const u64 until = std::min(time, end_);
        if (until <= last_) return;
        const u64 ticks = until - last_;
        last_ = until;
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
    u64 end_;
    u64 last_;  ///< up to here all time is shared out
    ThreadTimes times_;
    std::vector<Wait> waits_;
};

/// The threads with events of each process.
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

std::vector<u32> threads_of(TraceFile& file, const std::vector<u32>& locations) {
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
        ProcessSpan span{std::move(threads), ~u64{0}, 0, number++};
        for (const u32 location : span.locations) {
            const TickWindow window = recorded_window(file, clock, {location});
            span.begin = std::min(span.begin, clock.start() + window.begin);
            span.end = std::max(span.end, clock.start() + window.end);
        }
        if (!span.locations.empty()) processes.push_back(std::move(span));
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
    u64 last = process.begin;
    u64 lost = 0;
    i64 in_mpi = 0;
    i64 waiting = 0;
    const auto until = [&](u64 time) {
        const u64 end = std::min(time, process.end);
        if (end <= last) return;
        if (in_mpi > 0) lost += (end - last) * static_cast<u64>(in_mpi + waiting);
        last = end;
    };
    sweep.run(until, [&](const ThreadStates::State& state, int change) {
        if (state.mpi) {
            in_mpi += change;
        } else if (state.use != ThreadUse::work && !is_of_device(state.use)) {
            waiting += change;
        }
    });
    until(process.end);
    return lost;
}

}  // namespace tracefold
