// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/path_cost.hpp"
#include "prediction/path_history.hpp"

#include <map>
#include <span>
#include <vector>

namespace tracefold {

/// Waiting time that one way of spending time of a rank caused on others (docs/predict.md).
struct DelayCost {
    u32 rank = 0;
    u32 node = kNone;
    CostKind kind{};
    double direct = 0;      ///< picoseconds that the receivers of its own messages waited
    double propagated = 0;  ///< that others waited whom the delay reached through these
};

/// Delay costs (Boehme, Geimer, Wolf, Arnold: ICPP 2010): a rank waits since another one's way from
/// the moment that both have in common took longer than its own. What that way has more of, call
/// path by call path, is the delay, which shares out the waiting time. Memory: one entry for each
/// cause. Cost of a wait: the parts of both ways since that moment.
class DelayCosts {
  public:
    struct Wait {
        u32 sender = kNone;  ///< of the message that was waited for; kNone: not known
        i64 time = 0;        ///< picoseconds, above 0
    };

    /// `late` and `waiting` are the parts of both ways.
    void add(const Wait& wait, std::span<const PathHistory::Cost> late,
             std::span<const PathHistory::Cost> waiting);

    /// Picoseconds of all waits.
    [[nodiscard]] i64 waited() const { return waited_; }
    /// By rank, call path and kind.
    [[nodiscard]] std::vector<DelayCost> costs() const;

  private:
    struct Shares {
        double direct = 0;
        double propagated = 0;
    };
    struct Excess {
        i64 late = 0;
        i64 waiting = 0;

        [[nodiscard]] double more() const {
            return late > waiting ? static_cast<double>(late - waiting) : 0;
        }
    };

    i64 waited_ = 0;
    std::map<u64, Shares> shares_;       ///< by the key of a cost
    std::map<u64, Excess> differences_;  ///< of the wait at hand, by call path and kind
};

}  // namespace tracefold
