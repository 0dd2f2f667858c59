// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/growth.hpp"
#include "forecast/scaling/script_tree.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

/// Duration of a call at one place of a script, and of the computation before it, in seconds as
/// functions of the number of ranks. One measurement is the mean over all executions and identical
/// ranks of a run.
struct PlaceTimes {
    Growth before;               ///< from the preceding call's last record to the first
    Growth within;               ///< from the first record to the last
    std::vector<double> shares;  ///< by element: share of `within` before its records
};

/// Sums over executions of calls; by ranks of the run.
struct TimeSums {
    double before = 0;  ///< seconds
    double within = 0;
    u64 executions = 0;
};
using TimesByRanks = std::map<u32, TimeSums>;

/// Times of one location, by the kinds of a call and of the one before it (kNone: none).
using TransitionTimes = std::map<std::pair<u32, u32>, TimeSums>;

/// Empty without times. Cost: the records.
TransitionTimes transition_times(const CallSequence& sequence, const CallTypes& kinds,
                                 double seconds_per_tick);

struct TimedScript {
    const FoldedSequence* script = nullptr;
    u32 ranks = 0;  ///< of the run
    double seconds_per_tick = 0;
};

/// Times of calls over all ranks, by kind: the fallback for places that occur in few runs.
class KindTimes {
  public:
    struct Means {
        Growth before;
        Growth within;
    };

    explicit KindTimes(const CallTypes& kinds) : kinds_(kinds) {}

    /// Adds a script of a run; each distinct script once.
    void add(const TimedScript& script);
    /// Call after the last script.
    void finish();
    /// Null if no script has such a call.
    [[nodiscard]] const Means* find(u32 kind) const;

  private:
    const CallTypes& kinds_;
    std::map<u32, TimesByRanks> sums_;  ///< by kind
    std::map<u32, Means> means_;
};

/// Fits times by place; loops have none. A place with few measurements grows as its kind of call,
/// scaled by the ratio of their means. Precondition: all scripts have the same tree, and times.
/// Cost: the records of all scripts.
std::vector<PlaceTimes> fit_times(std::span<const TimedScript> scripts, const CallTypes& kinds,
                                  const KindTimes& of_kinds);

}  // namespace tracefold
