// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/path_history.hpp"

#include <array>
#include <memory>
#include <vector>

namespace tracefold {

/// A time, and how often the parameters of the network are part of it: its derivatives.
struct Clock {
    i64 time = 0;       ///< picoseconds
    u64 bytes = 0;      ///< G
    u32 latencies = 0;  ///< L
    u32 overheads = 0;  ///< o
};

/// A moment on some rank, in all scenarios, and the way that leads there in the first one.
struct Moment {
    std::vector<Clock> clocks;  ///< by scenario
    PathHistory::Ref history = kNone;
    std::array<PathHistory::Cost, 4> last{};  ///< costs behind `history`
    u32 last_count = 0;
    u32 sender = kNone;  ///< of the message that comes then; kNone: there is none

    void add(const PathHistory::Cost& cost) { last[last_count++] = cost; }
};

/// Moments that are used again.
class MomentPool {
  public:
    using Id = u32;

    MomentPool(std::size_t scenarios, PathHistory& history)
        : scenarios_(scenarios), history_(history) {}

    /// At the beginning of everything.
    Id take() {
        if (free_.empty()) {
            free_.push_back(static_cast<Id>(moments_.size()));
            moments_.push_back(std::make_unique<Moment>());
            moments_.back()->clocks.resize(scenarios_);
        }
        const Id id = free_.back();
        free_.pop_back();
        moments_[id]->history = kNone;
        moments_[id]->last_count = 0;
        moments_[id]->sender = kNone;
        return id;
    }
    void give_back(Id id) {
        history_.release(moments_[id]->history);
        free_.push_back(id);
    }
    /// Stays where it is until it is given back.
    Moment& operator[](Id id) { return *moments_[id]; }

  private:
    std::size_t scenarios_;
    PathHistory& history_;
    std::vector<std::unique_ptr<Moment>> moments_;
    std::vector<Id> free_;
};

}  // namespace tracefold
