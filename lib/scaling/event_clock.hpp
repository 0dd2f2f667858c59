// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "scaling/place_times.hpp"

#include <span>
#include <vector>

namespace tracefold::inline scaling {

/// Gives the records of one location their times, call by call.
class EventClock {
  public:
    /// Starts at a tick. `times` are those of the location's places for so many ranks; it must
    /// outlive the clock. Empty: one tick per record.
    EventClock(const std::vector<PlaceTimes>& times, u32 ranks, double ticks_per_second, u64 start);

    /// The records from `first` to the end of the batch are a call at a place; `elements`: of its
    /// symbol, by record.
    void stamp(RecordBatch& batch, std::size_t first, std::span<const u32> elements, u32 place);

    /// Of the last record.
    [[nodiscard]] u64 now() const { return static_cast<u64>(ticks_); }

  private:
    struct Mean {
        double before = 0;  ///< ticks
        double within = 0;
    };

    const std::vector<PlaceTimes>& times_;
    std::vector<Mean> means_;  ///< by place
    double ticks_;
};

}  // namespace tracefold::inline scaling
