// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "transform/cut/event_selector.hpp"
#include "transform/cut/operation_tracker.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// A record type that opens a scope and the one that closes it.
struct ScopePair {
    EventType opens;
    EventType closes;
    u8 same = 0;  ///< number of leading fields that are equal
};

inline constexpr ScopePair kScopePairs[] = {
    {EventType::Enter, EventType::Leave, 1},
    {EventType::CallingContextEnter, EventType::CallingContextLeave, 1},
    {EventType::ThreadTeamBegin, EventType::ThreadTeamEnd, 1},
    {EventType::ThreadFork, EventType::ThreadJoin, 1},
    {EventType::OmpFork, EventType::OmpJoin, 0},
    {EventType::OmpAcquireLock, EventType::OmpReleaseLock, 2},
    {EventType::ThreadAcquireLock, EventType::ThreadReleaseLock, 3},
    {EventType::RmaAcquireLock, EventType::RmaReleaseLock, 3},
    {EventType::IoAcquireLock, EventType::IoReleaseLock, 2},
};

/// The pair that a type opens, or closes; null if none.
const ScopePair* opened_pair(u8 type);
const ScopePair* closed_pair(u8 type);

/// The open scopes of a location: regions, thread teams, locks. Memory: linear in them. Cost: the
/// distance to the closed scope.
class OpenScopes {
  public:
    struct Entry {
        RecordBatch record;  ///< the opening record
        const ScopePair* pair = nullptr;
        u64 stretch = 0;             ///< number of the interval in which it was opened
        bool told = false;           ///< open in the output as well
        std::optional<TaskId> task;  ///< the explicit task that opened it
        bool moved = false;          ///< with its task from another location
    };

    Entry& open(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head,
                u64 stretch);
    /// The scope that a record other than a Leave closes; null if it was never opened.
    Entry* find(const ScopePair& pair, std::span<const u64> values);
    /// The innermost region of a task. Precondition: one is open.
    Entry* innermost_region(const std::optional<TaskId>& task);
    /// `entry`: from find() or innermost_region().
    void close(Entry* entry);

    /// In the order of opening.
    [[nodiscard]] std::span<Entry> entries() { return {entries_.data(), size_}; }

  private:
    std::vector<Entry> entries_;  ///< entries from size_ on are reused
    std::size_t size_ = 0;
};

/// Events of a part, by type.
struct CutCounts {
    std::array<u64, kEventTypes> kept{};       ///< from the trace
    std::array<u64, kEventTypes> added{};      ///< at the edges, for balance
    std::array<u64, kRecordKinds> unwanted{};  ///< left out by kind; attributes count one by one
};

/// Converts all events of a location to its events in a part. Opens the open scopes at the begin of
/// an interval and closes them at its end. MeasurementOnOff records mark where the part begins
/// after the location, and ends before it. Regions around events selected by name are kept. Memory:
/// open scopes, and outstanding operations.
class LocationCutter {
  public:
    /// All must outlive the cutter. `intervals`: of all locations. `on_stream`: the location is no
    /// thread. `left_out`: operations outside of the part. `nesting`: see
    /// EventSelector.
    LocationCutter(const CutRequest& request, const DefinitionIndex& definitions,
                   const MappingTables& tables, const std::vector<Intervals>& intervals,
                   bool on_stream, const NumberSet& left_out, CutCounts& counts, u32 location,
                   const RegionNesting::Location* nesting);

    /// Appends the next event's output to `out`.
    void add(const RecordBatch& batch, const RecordBatch::Head& head, RecordBatch& out);

  private:
    void enter(const Interval& interval, RecordBatch& out);
    void leave(const Interval& interval, RecordBatch& out);
    void mark(bool is_on, u64 time, RecordBatch& out);
    void open_all(RecordBatch& out);
    void open(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head);
    void close(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head,
               Side side, RecordBatch& out);
    OpenScopes::Entry* find_closed(const ScopePair& pair, const RecordBatch& batch,
                                   const RecordBatch::Head& head);
    void forget(OpenScopes::Entry* entry);
    template <class Gone>
    void forget_if(const Gone& gone);
    void follow_tasks(const RecordBatch::Head& head);
    void take_over(const TaskChange& change, u64 time);
    void drop_departed(u64 end);
    void go_to(const std::optional<TaskId>& task, u64 time, RecordBatch& out);
    void note(RecordBatch& out);
    void put(const RecordBatch& batch, const RecordBatch::Head& head, RecordBatch& out);
    void put(const RecordBatch& batch, const RecordBatch::Head& head, u64 time, RecordBatch& out);
    [[nodiscard]] bool is_left_out(const OperationTracker::Step& step) const;

    const CutRequest& request_;
    const MappingTables& tables_;
    const std::vector<Intervals>& intervals_;
    EventSelector selector_;
    bool on_stream_;
    const NumberSet& left_out_;
    CutCounts& counts_;
    OperationTracker operations_;
    OpenScopes scopes_;
    RegionStack<OpenRegion> regions_;  ///< those of scopes_
    u64 untold_ = 0;                   ///< entries of scopes_
    u64 stretch_ = 0;                  ///< number of the interval; odd inside, even between
    u64 begin_ = 0;                    ///< of the current interval
    bool is_open_ = false;             ///< an interval is
    bool has_events_ = false;          ///< before the one at hand
    bool is_measured_ = false;         ///< in an interval and, if requested, a region
    // Of a location with tasks.
    std::optional<TaskId> task_;             ///< that runs before the event at hand
    std::multimap<u64, TaskId> departures_;  ///< to come
    TaskPool told_tasks_;                    ///< of the output
    std::optional<TaskStacks> told_;         ///< those in the output; nothing: none stay
};

}  // namespace tracefold
