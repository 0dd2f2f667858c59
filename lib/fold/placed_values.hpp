// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/column_cursor.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

/// The first numbers of a column by place: as runs, or one by one where these are not much fewer.
class PlacedValues {
  public:
    /// Throws Error(corrupt) if the column has fewer.
    PlacedValues(const FoldedSource& source, u32 column, u64 size);

    [[nodiscard]] u64 size() const { return size_; }
    /// Cost: the logarithm of the runs.
    [[nodiscard]] u64 at(u64 place) const {
        if (runs_.empty()) return listed_[place];
        const auto after = std::ranges::upper_bound(runs_, place, {}, &Run::first);
        const Run& run = *(after - 1);
        return run.start + run.stride * (place - run.first);
    }
    /// Calls visit(run) for all numbers in the order of their places.
    template <class Visit>
    void visit(const Visit& visit) const {
        for (const u64 value : listed_) visit(ValueRun{value, 0, 1});
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const u64 end = i + 1 < runs_.size() ? runs_[i + 1].first : size_;
            visit(ValueRun{runs_[i].start, runs_[i].stride, end - runs_[i].first});
        }
    }

    /// Returns a function that returns number after number, in the order of their places. The
    /// values must outlive it.
    [[nodiscard]] auto reader() const {
        return [this, place = u64{0}, run = std::size_t{0}]() mutable {
            const u64 at = place++;
            if (runs_.empty()) return listed_[at];
            if (run + 1 < runs_.size() && runs_[run + 1].first == at) ++run;
            return runs_[run].start + runs_[run].stride * (at - runs_[run].first);
        };
    }

  private:
    struct Run {
        u64 first;  ///< place
        u64 start;
        u64 stride;
    };

    u64 size_;
    std::vector<Run> runs_;
    std::vector<u64> listed_;  ///< in place of runs
};

}  // namespace tracefold
