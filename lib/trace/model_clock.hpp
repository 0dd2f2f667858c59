// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/call_batch.hpp"
#include "model/timing_model.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Times made from a TimingModel: every edge takes the location's mean, or a duration drawn from
/// the histogram of all and scaled to the location's mean; every record of a call takes its share
/// of the location's mean of that call. Deterministic: the same seed and location give the same
/// times.
class ModelClock {
  public:
    /// The model must outlive the clock. With a seed durations of edges are drawn.
    ModelClock(const TimingModel& model, u32 location, std::size_t symbols,
               std::optional<u64> seed);

    /// Ticks between the previous record and the next one. Throws Error(corrupt) if the model does
    /// not know the way.
    u64 next(RecordPlace place);

  private:
    struct Edge {
        u32 from;
        u64 mean;  ///< of the location
        const LogHistogram* all;
    };

    [[nodiscard]] u64 duration(const Edge& edge);

    std::vector<std::vector<u64>> steps_;   ///< [symbol][element]
    std::vector<std::vector<Edge>> edges_;  ///< by symbol they lead to, the last used first
    u32 symbol_ = kNone;
    bool draws_;
    u64 random_;
};

}  // namespace tracefold
