// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/path_walk.hpp"
#include "query/thread_regions.hpp"
#include "trace/clock_map.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Reads the records of a thread one by one and knows what the thread does from each to the next:
/// it is in MPI (without MPI, in other communication), works, waits for other threads or for an
/// accelerator, or belongs to no team.
class ThreadStates {
  public:
    struct State {
        bool mpi = false;
        ThreadUse use{};  ///< outside of MPI; of other communication, how it waits
        u32 node = kNone;
    };

    /// `first`: the thread is the one that its process began with; `clock`: that of the location.
    /// Others as in PathWalk.
    ThreadStates(TraceFile& file, u32 location, bool first, const ClockMap& clock, CallTree& tree,
                 TraceThreads& threads);

    /// Goes on to the next record; false at the end. Throws Error(corrupt).
    bool next();

    /// Of the record, on the common clock.
    [[nodiscard]] u64 time() const { return time_; }
    [[nodiscard]] PathWalk::Step step() const { return walk_.step(); }
    /// What the thread does from the record on, before the first one and after the last one.
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
    ThreadUse unrecorded_;  ///< before the first record and after the last one
    ThreadUse outside_;     ///< of all teams and regions
    bool has_mpi_;
    u64 time_ = 0;
    State now_;
    /// A team is being made or ended: from its record on to the next region, and to the join.
    bool managing_ = false;
    u32 teams_ = 0;  ///< that are open
};

}  // namespace tracefold
