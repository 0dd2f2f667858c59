// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/region_nesting.hpp"
#include "file/trace_file.hpp"
#include "fold/mapping_tables.hpp"
#include "model/definition_index.hpp"
#include "model/record_batch.hpp"
#include "transform/cut_request.hpp"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A range of a location's events: numbers `first` to `last` - 1, times from `from` to before `to`.
struct Interval {
    static constexpr u64 kEnd = ~u64{0};

    u64 first = 0;
    u64 last = kEnd;
    u64 from = 0;
    u64 to = kEnd;
    /// Times of the records added at its begin and its end.
    u64 open = 0;
    u64 close = kEnd;
};

/// Consecutive intervals of a location.
using Intervals = std::vector<Interval>;

/// Tracks the interval of each event of a location.
class IntervalCursor {
  public:
    explicit IntervalCursor(const Intervals& intervals) : intervals_(intervals) {}

    /// Advances to the next event: calls `entered` and `left` with the intervals that begin and end
    /// before it. True if it is in one.
    template <class Entered, class Left>
    bool next(u64 time, const Entered& entered, const Left& left) {
        const u64 number = number_++;
        while (at_ < intervals_.size()) {
            const Interval& interval = intervals_[at_];
            if (!within_) {
                if (number < interval.first || time < interval.from) return false;
                within_ = true;
                entered(interval);
            }
            if (number < interval.last && time < interval.to) return true;
            within_ = false;
            ++at_;
            left(interval);
        }
        return false;
    }

  private:
    const Intervals& intervals_;
    std::size_t at_ = 0;
    bool within_ = false;
    u64 number_ = 0;  ///< of the next event
};

/// Classifies each event of a location with respect to a part. Memory: open and known regions.
class EventSelector {
  public:
    /// All must outlive the selector. `on_stream`: the location is an accelerator stream. `nesting`
    /// may be null: see RegionNesting::of().
    EventSelector(const CutRequest& request, const DefinitionIndex& definitions,
                  const MappingTables& tables, const Intervals& intervals, u32 location,
                  bool on_stream, const RegionNesting::Location* nesting)
        : request_(request),
          definitions_(definitions),
          tables_(tables),
          cursor_(intervals),
          frames_(on_stream) {
        if (nesting == nullptr || !nesting->is_followed) return;
        nesting_ = nesting;
        tasks_.created = *nesting->created;
        stacks_.emplace(location, nesting->rule, tasks_);
    }
    EventSelector(const EventSelector&) = delete;
    EventSelector& operator=(const EventSelector&) = delete;

    /// Call for every event of the location, in order; `entered` and `left`: see IntervalCursor.
    template <class Entered, class Left>
    Side next(const RecordBatch& batch, const RecordBatch::Head& head, const Entered& entered,
              const Left& left) {
        const bool within = cursor_.next(head.time, entered, left);
        if (stacks_) pair(batch, head);
        const bool wanted = follow_names(batch, head);
        unwanted_ = is_unwanted(batch, head);
        if (!within) return Side::outside;
        return wanted && !unwanted_ ? Side::inside : Side::filtered;
    }
    Side next(const RecordBatch& batch, const RecordBatch::Head& head) {
        const auto nothing = [](const Interval&) {};
        return next(batch, head, nothing, nothing);
    }

    /// True in a chosen region, after the last event.
    [[nodiscard]] bool within_regions() const { return !frames_.empty() && frames_.back().within; }

    /// True if the last event's kind is left out.
    [[nodiscard]] bool unwanted() const { return unwanted_; }

    struct Region {
        u64 id = 0;           ///< global
        bool chosen = false;  ///< by --regions
        bool call = false;    ///< by --calls
        bool mpi = false;
        bool mpi_function = false;
    };
    /// The region of an Enter or Leave. Precondition: the event is one.
    const Region& region(const RecordBatch& batch, const RecordBatch::Head& head);
    /// The region that the last event ends; kNoRegion if none. Precondition: it is a Leave.
    [[nodiscard]] u64 ended(const RecordBatch& batch, const RecordBatch::Head& head) {
        return stacks_ ? ended_ : region(batch, head).id;
    }

    /// Not null if the location goes on with another task after the last event.
    [[nodiscard]] const TaskChange* task_change() const { return change_; }
    /// The explicit task that runs then; nothing: the implicit one.
    [[nodiscard]] std::optional<TaskId> task() const {
        return stacks_ ? stacks_->current() : std::nullopt;
    }
    /// Whether it has begun and is not complete.
    [[nodiscard]] bool is_alive(const TaskId& task) const { return tasks_.tasks.contains(task); }

    /// True if unmatched Leaves are detected.
    [[nodiscard]] bool pairs() const { return stacks_.has_value(); }

  private:
    struct Frame {
        u64 region = 0;
        bool within = false;  ///< in a chosen region
        bool call = false;
    };

    [[nodiscard]] Region describe(u64 id) const;
    void pair(const RecordBatch& batch, const RecordBatch::Head& head);
    bool follow_names(const RecordBatch& batch, const RecordBatch::Head& head);
    bool is_unwanted(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] bool is_chosen() const { return !frames_.empty() && is_chosen(frames_.back()); }
    static bool is_chosen(const Frame& frame) { return frame.within && frame.call; }

    const CutRequest& request_;
    const DefinitionIndex& definitions_;
    const MappingTables& tables_;
    IntervalCursor cursor_;
    RegionStack<Frame> frames_;
    std::array<std::unordered_map<u64, Region>, 2> regions_;  ///< by region or calling context
    bool unwanted_ = false;
    // Only for a location that does not simply nest.
    const RegionNesting::Location* nesting_ = nullptr;
    TaskPool tasks_;
    std::optional<TaskStacks> stacks_;
    u64 ended_ = kNoRegion;
    const TaskChange* change_ = nullptr;
};

/// The intervals of all locations for the times and iterations of a request; none for unselected
/// locations. Iterations (analysis/iterations.hpp) are those of the first location of each rank;
/// its other locations use the same time ranges. Throws Error: usage (no times in the file, no such
/// iteration), corrupt. Cost: finding the iterations; for iterations, unwinds the first location of
/// each rank. Memory: the intervals; consecutive iterations are one.
std::vector<Intervals> find_intervals(TraceFile& file, const CutRequest& request);

}  // namespace tracefold
