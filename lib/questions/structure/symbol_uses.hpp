// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/call_reader.hpp"
#include "file/io_files.hpp"
#include "file/record_counts.hpp"
#include "file/region_stack.hpp"
#include "file/thread_forks.hpp"
#include "model/time_use.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct RegionUses {
    explicit RegionUses(TraceFile& file) : threads(file), files(file) {}

    ThreadRegions threads;
    IoFiles files;
};

struct ResumedRegion {
    u64 region = 0;  ///< global id
    u32 symbol = 0;  ///< its Enter, in the structure
    bool is_mpi = false;
    TimeUse use = TimeUse::computation;

    static void each_field(auto& self, auto& visit) {
        visit(self.region, self.symbol, self.is_mpi, self.use);
    }
    auto operator<=>(const ResumedRegion&) const = default;
};

/// The effect of a call on the activity of its location.
struct SymbolUse {
    /// The task that runs after the call.
    enum class Task : u8 { same, implicit, other };

    CallKind kind = CallKind::record;
    u8 record = 0;                       ///< first record type of the call
    bool is_mpi = false;                 ///< a function of MPI
    TimeUse use = TimeUse::computation;  ///< of a region
    u64 region = 0;                      ///< global id; 0 of a record
    Task task = Task::same;
    std::vector<ResumedRegion> resumed;  ///< of an explicit task, outermost first
    /// Symbol number; variants of a symbol (a Leave that ends other regions, a resumed task) are
    /// numbered from the number of symbols on.
    u32 number = 0;
    /// Of a call in which tasks change: its Enter, each change and its Leave.
    std::vector<SymbolUse> steps;
    u32 place = 0;  ///< of a step: the record of the call

    static void each_field(auto& self, auto& visit) {
        visit(self.kind, self.record, self.is_mpi, self.use, self.region, self.task, self.resumed,
              self.number, self.steps, self.place);
    }
    bool operator==(const SymbolUse&) const = default;
    bool operator<(const SymbolUse& other) const {
        const auto fields = [](const SymbolUse& it) {
            return std::tie(it.kind, it.record, it.is_mpi, it.use, it.region, it.task, it.resumed,
                            it.number, it.place);
        };
        if (fields(*this) != fields(other)) return fields(*this) < fields(other);
        return std::lexicographical_compare(steps.begin(), steps.end(), other.steps.begin(),
                                            other.steps.end());
    }
};

/// The time of each step of a call, in ticks since its first record.
inline std::vector<u64> step_offsets(const SymbolUse& use, RecordSpan records) {
    std::vector<u64> offsets;
    for (const SymbolUse& step : use.steps) {
        offsets.push_back(records[step.place].time - records[0].time);
    }
    return offsets;
}

/// Caches the uses of one location's symbols. Cost of a call: O(1).
class SymbolUses {
  public:
    /// The arguments must outlive this object.
    SymbolUses(TraceFile& file, const RegionUses& regions, u32 location);

    /// The use of the reader's last call. Precondition: the reader is of this location.
    const SymbolUse& of(CallReader& calls) {
        const u32 symbol = calls.symbol_id();
        if (!uses_[symbol]) uses_[symbol] = summarise(calls);
        return calls.simply_nests() ? *uses_[symbol] : variant(calls);
    }
    [[nodiscard]] bool on_stream() const { return on_stream_; }

  private:
    [[nodiscard]] SymbolUse summarise(CallReader& calls) const;
    const SymbolUse& variant(CallReader& calls);
    void pair(SymbolUse& use, CallReader& calls, std::size_t record);
    [[nodiscard]] ResumedRegion resumed_region(const OpenVisit& visit, const CallReader& calls);
    [[nodiscard]] TimeUse use_of_region(u64 region, const Symbol& symbol) const;
    [[nodiscard]] TimeUse use_outside_mpi(u64 region) const;

    TraceFile& file_;
    const RegionUses& regions_;
    bool on_stream_;
    std::vector<std::optional<SymbolUse>> uses_;  ///< by symbol
    std::map<SymbolUse, SymbolUse> variants_;  ///< other uses of a symbol, by use with its number
    std::unordered_map<u64, u32> entering_;    ///< symbols, by region of a task
};

/// Tracks the activity of a location call by call and passes intervals to a sink: `sink(begin, end,
/// use)`, in order and without gaps from the first call on. A copy continues from the current call.
/// Memory: the open regions.
class UseTracker {
  public:
    UseTracker() = default;
    UseTracker(bool is_worker, bool on_stream)
        : is_worker_(is_worker), on_stream_(on_stream), open_(on_stream) {}

    /// Adds the next call, from its first record to its last. `offsets`: times of its steps since
    /// its begin.
    template <class Sink>
    void take(const SymbolUse& symbol, TickWindow call, std::span<const u64> offsets, Sink&& sink) {
        if (!started_) last_ = call.begin;
        started_ = true;
        for (std::size_t i = 0; i < symbol.steps.size(); ++i) {
            const u64 time = call.begin + offsets[i];
            step(symbol.steps[i], {time, time}, sink);
        }
        if (symbol.steps.empty()) step(symbol, call, sink);
        end_ = call.end;
    }

    /// Passes the time up to the end of the last call, or up to a later tick.
    template <class Sink>
    void finish(Sink&& sink) {
        fill(end_, open_use(), sink);
    }
    template <class Sink>
    void finish(u64 until, Sink&& sink) {
        if (until > last_) fill(until, open_use(), sink);
    }

    /// A copy without open regions, which resume() restores.
    [[nodiscard]] UseTracker without_regions() const {
        UseTracker copy(is_worker_, on_stream_);
        copy.managing_ = managing_;
        copy.started_ = started_;
        copy.teams_ = teams_;
        copy.copies_ = copies_;
        copy.last_ = last_;
        copy.end_ = end_;
        return copy;
    }
    /// Opens the next region, outermost first.
    void resume(const ResumedRegion& it) { enter(it.region, it.use, it.is_mpi); }
    /// Assigns the regions opened so far to the implicit task and starts another task.
    void resume_task() { open_.begin_task(); }

    static void each_field(auto& self, auto& visit) {
        visit(self.is_worker_, self.on_stream_, self.managing_, self.started_, self.teams_,
              self.open_, self.copies_, self.last_, self.end_);
    }

  private:
    struct UseFrame {
        u64 region;
        TimeUse
            use;  ///< of the outermost enclosing region other than computation; on a stream its own

        static void each_field(auto& self, auto& visit) { visit(self.region, self.use); }
    };

    template <class Sink>
    void step(const SymbolUse& symbol, TickWindow call, Sink& sink) {
        const bool begins = symbol.kind == CallKind::enter || symbol.kind == CallKind::call;
        if (managing_ && begins) {
            fill(call.begin, open_use(), sink);
            managing_ = false;
        }
        const TimeUse before = open_use();
        if (symbol.kind == CallKind::call) {
            if (symbol.use == before || !is_free_for(symbol.use)) return;
            fill(call.begin, before, sink);
            fill(call.end, symbol.use, sink);
            return;
        }
        change(symbol);
        if (open_use() != before) fill(call.begin, before, sink);
    }

    void enter(u64 region, TimeUse use, bool is_mpi) {
        const bool own = on_stream_ || is_free();
        open_.enter({region, own ? use : open_use()}, is_mpi);
    }

    void change(const SymbolUse& symbol) {
        if (symbol.kind == CallKind::enter) {
            enter(symbol.region, symbol.use, symbol.is_mpi);
        } else if (symbol.task != SymbolUse::Task::same) {
            if (open_.in_task()) open_.end_task();
            if (symbol.task == SymbolUse::Task::other) open_.begin_task();
            for (const ResumedRegion& it : symbol.resumed) enter(it.region, it.use, it.is_mpi);
        } else if (symbol.kind == CallKind::leave) {
            open_.leave(symbol.region);
        } else {
            if (on_stream_) note_copy(symbol.record);
            note_team(symbol.record);
        }
    }

    /// Counts copies by device memory accesses, which have begin and end records of their own.
    void note_copy(u8 type) {
        if (begins_copy(type)) ++copies_;
        if (ends_copy(type) && copies_ > 0) --copies_;
    }

    /// Workers are idle between teams.
    void note_team(u8 record) {
        const auto type = static_cast<EventType>(record);
        if (!changes_thread_place(record) && type != EventType::ThreadJoin) return;
        if (type == EventType::ThreadTeamBegin || type == EventType::ThreadBegin) ++teams_;
        const bool ends = type == EventType::ThreadTeamEnd || type == EventType::ThreadEnd;
        if (ends && teams_ > 0) --teams_;
        managing_ = type == EventType::ThreadFork || type == EventType::ThreadTeamBegin ||
                    type == EventType::ThreadTeamEnd;
    }

    template <class Sink>
    void fill(u64 until, TimeUse use, Sink& sink) {
        sink(last_, until, use);
        last_ = until;
    }

    [[nodiscard]] TimeUse open_use() const {
        if (is_worker_ && teams_ == 0 && open_.empty()) return TimeUse::idle;
        if (managing_ && is_free()) return TimeUse::thread_wait;
        if (on_stream_) return stream_use();
        return open_.empty() ? TimeUse::computation : open_.back().use;
    }

    /// Kernels take precedence over copies, copies over other open regions.
    [[nodiscard]] TimeUse stream_use() const {
        TimeUse use = copies_ > 0 ? TimeUse::device_copy : TimeUse::idle;
        for (const UseFrame& frame : open_.open()) {
            if (frame.use == TimeUse::kernel) return TimeUse::kernel;
            if (frame.use == TimeUse::device_copy || use == TimeUse::idle) use = frame.use;
        }
        return use;
    }

    /// Whether a call of this use counts inside any open region.
    [[nodiscard]] bool is_free_for(TimeUse use) const {
        if (!on_stream_) return is_free();
        const TimeUse open = stream_use();
        return open == TimeUse::idle || (use == TimeUse::kernel && open != TimeUse::kernel);
    }

    /// Whether the next call decides: waiting threads may execute tasks.
    [[nodiscard]] bool is_free() const {
        return open_.empty() || open_.back().use == TimeUse::computation ||
               open_.back().use == TimeUse::thread_wait;
    }

    bool is_worker_ = false;
    bool on_stream_ = false;
    bool managing_ = false;  ///< inside team creation or end
    bool started_ = false;
    u32 teams_ = 0;   ///< teams that the worker is in
    u64 copies_ = 0;  ///< running copies of the stream
    u64 last_ = 0;    ///< end of the time passed to the sink
    u64 end_ = 0;
    RegionStack<UseFrame> open_;  ///< nested calls
};

}  // namespace tracefold
