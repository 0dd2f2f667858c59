// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/event_selector.hpp"

#include "base/error.hpp"
#include "fold/symbol_table.hpp"
#include "model/participant_names.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/structure/iterations.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tracefold {

const EventSelector::Region& EventSelector::region(const RecordBatch& batch,
                                                   const RecordBatch::Head& head) {
    const FieldKind kind = event_info(head.type).fields[0].kind;
    const u64 raw = batch.values(head)[0];
    auto& known = regions_[kind == FieldKind::calling_context ? 1 : 0];
    const auto [found, fresh] = known.try_emplace(raw);
    if (fresh) found->second = describe(definitions_.region_of(kind, tables_.global(kind, raw)));
    return found->second;
}

EventSelector::Region EventSelector::describe(u64 id) const {
    const std::string& name = definitions_.region_name(id);
    return {id, !request_.regions || request_.regions(name),
            !request_.calls || request_.calls(name), definitions_.is_mpi_region(id),
            is_mpi_function(definitions_, id)};
}

/// Finds the region that a Leave ends, and the task that goes on.
void EventSelector::pair(const RecordBatch& batch, const RecordBatch::Head& head) {
    const RecordRole role = record_traits(head.type).role;
    change_ = nullptr;
    if (role == RecordRole::opens) {
        const Region& entered = region(batch, head);
        stacks_->enter(entered.id, entered.mpi_function, head.time);
    } else if (role == RecordRole::closes) {
        ended_ = stacks_->leave(region(batch, head).id);
    } else if (concerns_tasks(head.type)) {
        change_ =
            stacks_->follow(head.type, batch.values(head), tables_, head.time, &nesting_->arrivals);
    }
}

/// True if the requested names select the event.
bool EventSelector::follow_names(const RecordBatch& batch, const RecordBatch::Head& head) {
    if (!request_.has_names()) return true;
    const auto enter = [this](const Region& entered) {
        const bool inside = !frames_.overlaps() && !frames_.empty();
        const bool within = entered.chosen || (inside && frames_.back().within);
        frames_.enter({entered.id, within, entered.call}, entered.mpi_function);
    };
    const RecordRole role = record_traits(head.type).role;
    if (role == RecordRole::opens) enter(region(batch, head));
    if (change_ != nullptr) {
        change_task(frames_, *change_,
                    [&](const OpenVisit& visit) { enter(describe(visit.region)); });
    }
    const bool chosen = is_chosen();
    if (role != RecordRole::closes) return chosen;
    const std::span<const Frame> left = frames_.leave(ended(batch, head));
    return frames_.overlaps() && !left.empty() ? is_chosen(left.front()) : chosen;
}

/// The records of MPI functions need their regions.
bool EventSelector::is_unwanted(const RecordBatch& batch, const RecordBatch::Head& head) {
    const RecordKind kind = record_kind(head.type);
    if (!request_.drops(kind)) return false;
    return kind != RecordKind::regions || !region(batch, head).mpi;
}

namespace {

/// The first time of a location's clock at or after `moment` on the common clock. Offsets change
/// slowly, so a few steps converge.
u64 local_time(const ClockMap& clock, u64 moment) {
    const auto lag = [&clock, moment](u64 time) {
        return static_cast<i64>(clock.common(time) - moment);
    };
    u64 time = moment;
    for (int step = 0; step < 4; ++step) time -= static_cast<u64>(lag(time));
    constexpr u64 kFar = u64{1} << 40U;
    u64 late = time;
    for (u64 step = 1; lag(late) < 0 && step < kFar; step *= 2) late += step;
    u64 early = late;
    for (u64 step = 1; lag(early) >= 0 && step < kFar && early >= step; step *= 2) early -= step;
    while (late - early > 1) {
        const u64 middle = early + (late - early) / 2;
        (lag(middle) < 0 ? early : late) = middle;
    }
    return late;
}

class IntervalFinder {
  public:
    IntervalFinder(TraceFile& file, const CutRequest& request)
        : file_(file), request_(request), result_(file.location_count()) {}

    std::vector<Intervals> run() {
        if (request_.has_times() && !keeps_every_time(file_.summary().timing)) {
            throw Error(ErrorKind::usage,
                        "--time needs a file with the times of events; this one has none");
        }
        if (request_.iterations) {
            find_iterations();
        } else {
            for (u32 location = 0; location < result_.size(); ++location) {
                if (is_wanted(location)) result_[location] = {Interval()};
            }
        }
        if (request_.has_times()) restrict_times();
        return std::move(result_);
    }

  private:
    [[nodiscard]] bool is_wanted(u32 location) const {
        return request_.locations.empty() || request_.locations[location];
    }

    void restrict_times() {
        const CommonClock common = common_clock(file_);
        start_ = common.start();
        for (u32 location = 0; location < result_.size(); ++location) {
            if (result_[location].empty()) continue;
            const ClockMap& clock = common.map(location);
            const u64 from = ticks(clock, request_.from, 0);
            const u64 to = ticks(clock, request_.to, Interval::kEnd);
            for (Interval& one : result_[location]) {
                one.from = std::max(one.from, from);
                one.to = std::min(one.to, to);
                one.open = std::max(one.open, from);
                one.close = std::min(one.close, to);
            }
            std::erase_if(result_[location],
                          [](const Interval& one) { return one.from >= one.to; });
        }
    }

    [[nodiscard]] u64 ticks(const ClockMap& clock, double seconds, u64 none) const {
        constexpr double kMost = 4e18;
        const DefinitionIndex& definitions = file_.definitions();
        const double ticks = definitions.tick_rate().ticks(seconds);
        if (!(std::abs(ticks) < kMost)) return none;
        const i64 since = std::llround(ticks);
        if (since < 0 && static_cast<u64>(-since) > start_) return 0;
        return local_time(clock, start_ + static_cast<u64>(since));
    }

    void find_iterations() {
        ListingSource source(file_);
        FoundSteps steps(file_);
        Iterations iterations(file_, source, steps);
        iterations.expect_some();
        const ParticipantNames names(file_.definitions());
        std::map<u32, Intervals> of_ranks;
        for (u32 location = 0; location < result_.size(); ++location) {
            const ParticipantNames::Place place = names.place(location);
            if (!is_wanted(location) || !has_own_loop(place)) continue;
            if (file_.index().script(Stream::events, location) == kNone) continue;
            result_[location] =
                of_iterations(location, iterations.of(location), names.label(location));
            of_ranks[place.rank] = result_[location];
        }
        if (!found_) no_iteration();
        share_times(names, of_ranks);
    }

    /// True for the first location of each rank, or for every location without ranks.
    [[nodiscard]] bool has_own_loop(ParticipantNames::Place place) const {
        return place.rank == kNone ? file_.definitions().world_size() == 0 : place.thread == 0;
    }

    /// Sets the intervals of the other locations of the ranks.
    void share_times(const ParticipantNames& names, const std::map<u32, Intervals>& of_ranks) {
        for (u32 location = 0; location < result_.size(); ++location) {
            const ParticipantNames::Place place = names.place(location);
            const auto found = of_ranks.find(place.rank);
            const bool shares = place.rank != kNone && place.thread != 0;
            if (!is_wanted(location) || !shares || found == of_ranks.end()) continue;
            for (const Interval& one : found->second) {
                // Records at the begin are those of the iteration before.
                const u64 from = one.open + (one.first == 0 ? 0 : 1);
                result_[location].push_back(
                    {0, Interval::kEnd, from, one.close + 1, one.open, one.close});
            }
        }
    }

    Intervals of_iterations(u32 location, const LocationSteps* steps, const std::string& label) {
        if (steps == nullptr) {
            throw Error(ErrorKind::usage, "location {} has no loop with iterations to select",
                        label);
        }
        most_ = std::max(most_, steps->count());
        Intervals intervals;
        for (const IterationRange& it :
             iteration_ranges(file_, location, *steps, request_.iterations)) {
            intervals.push_back({it.first, it.last, 0, Interval::kEnd, it.time.begin, it.time.end});
        }
        found_ = found_ || !intervals.empty();
        return intervals;
    }

    [[noreturn]] void no_iteration() const {
        throw Error(ErrorKind::usage,
                    "no rank has any of these iterations: ranks have at most {}, counted from 0",
                    most_);
    }

    TraceFile& file_;
    const CutRequest& request_;
    std::vector<Intervals> result_;
    u64 start_ = 0;  ///< begin of the trace, on the common clock
    u64 most_ = 0;   ///< iterations of a main loop, maximum
    bool found_ = false;
};

}  // namespace

std::vector<Intervals> find_intervals(TraceFile& file, const CutRequest& request) {
    return IntervalFinder(file, request).run();
}

}  // namespace tracefold
