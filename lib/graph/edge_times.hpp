// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/choices.hpp"
#include "model/timing_model.hpp"

#include <unordered_map>

namespace tracefold {

/// How long something takes: ticks.
struct TickSummary {
    u64 count = 0;
    double total = 0;
    u64 minimum = ~u64{0};
    u64 maximum = 0;

    void add(const TickSummary& other);
    bool operator==(const TickSummary&) const = default;
    [[nodiscard]] double mean() const {
        return count == 0 ? 0 : total / static_cast<double>(count);
    }
};

/// The durations of a TimingModel for the participants of a class: means over them, and extremes
/// over all locations. The model must outlive this object.
class ModelTimes {
  public:
    ModelTimes(const TimingModel& model, const std::vector<u32>& members);

    /// From the end of a symbol's execution to the begin of the next.
    [[nodiscard]] TickSummary between(u32 from, u32 to) const;
    /// An execution of a symbol.
    [[nodiscard]] TickSummary within(u32 symbol) const;

  private:
    std::unordered_map<u64, TickSummary> between_;
    std::unordered_map<u32, TickSummary> within_;
};

}  // namespace tracefold
