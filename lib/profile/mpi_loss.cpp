// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/mpi_loss.hpp"

#include "profile/thread_states.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <utility>

namespace tracefold {

namespace {

/// Goes through the records of all threads in the order of their times.
class ProcessSweep {
  public:
    ProcessSweep(TraceFile& file, const ProcessSpan& process)
        : process_(process), last_(process.begin), threads_(file) {
        for (const u32 location : process.locations) {
            const bool first = location == process.locations.front();
            walks_.emplace_back(file, location, first, tree_, threads_);
            shown_.push_back(walks_.back().now());
            count(shown_.back(), 1);
        }
        for (u32 thread = 0; thread < walks_.size(); ++thread) read(thread);
    }

    u64 run() {
        while (!next_.empty()) {
            const auto [time, thread] = next_.top();
            next_.pop();
            charge(time);
            show(thread);
            read(thread);
        }
        charge(process_.end);
        return lost_;
    }

  private:
    using Next = std::pair<u64, u32>;

    void read(u32 thread) {
        if (walks_[thread].next()) {
            next_.emplace(walks_[thread].time(), thread);
        } else {
            show(thread);
        }
    }

    /// From now on the thread does what it does after its last record that was read.
    void show(u32 thread) {
        count(shown_[thread], -1);
        shown_[thread] = walks_[thread].now();
        count(shown_[thread], 1);
    }

    void count(const ThreadStates::State& state, int change) {
        if (state.mpi) {
            in_mpi_ += change;
        } else if (state.use != ThreadUse::work) {
            waiting_ += change;
        }
    }

    void charge(u64 time) {
        const u64 until = std::min(time, process_.end);
        if (until <= last_) return;
        if (in_mpi_ > 0) lost_ += (until - last_) * static_cast<u64>(in_mpi_ + waiting_);
        last_ = until;
    }

    const ProcessSpan& process_;
    u64 last_;  ///< up to here all time is charged
    u64 lost_ = 0;
    i64 in_mpi_ = 0;
    i64 waiting_ = 0;
    CallTree tree_;
    TraceThreads threads_;
    std::deque<ThreadStates> walks_;
    std::vector<ThreadStates::State> shown_;  ///< by thread, at `last_`
    /// Times of the records that were read last, by thread.
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
};

}  // namespace

u64 mpi_loss(TraceFile& file, const ProcessSpan& process) {
    return ProcessSweep(file, process).run();
}

}  // namespace tracefold
