// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "transform/cut/event_selector.hpp"
#include "transform/cut/operation_tracker.hpp"

#include <array>
#include <span>
#include <vector>

namespace tracefold {

/// A record that opens something and the one that closes it.
struct ScopePair {
    EventType opens;
    EventType closes;
    u8 same = 0;  ///< fields, from the first on, that they have in common
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

/// The pair that a type opens, or closes; null if it does not.
const ScopePair* opened_pair(u8 type);
const ScopePair* closed_pair(u8 type);

/// What is open at a place of a location: regions, thread teams, locks. Memory: these. Cost: as far
/// as what is closed lies back.
class OpenScopes {
  public:
    struct Entry {
        RecordBatch record;  ///< that opened it
        const ScopePair* pair = nullptr;
        u64 stretch = 0;    ///< of the part, in which it was opened
        bool told = false;  ///< it is open in what was written, too
    };

    void open(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head,
              u64 stretch);
    /// What a record other than a Leave closes; null if it was never opened.
    Entry* find(const ScopePair& pair, std::span<const u64> values);
    /// The innermost region. Precondition: one is open.
    Entry* innermost_region();
    /// `entry`: of one of these two.
    void close(Entry* entry);

    /// In the order in which they were opened.
    [[nodiscard]] std::span<Entry> entries() { return {entries_.data(), size_}; }

  private:
    std::vector<Entry> entries_;  ///< those from size_ on lie ready to be used again
    std::size_t size_ = 0;
};

/// Events of a part, by type.
struct CutCounts {
    std::array<u64, kEventTypes> kept{};       ///< that were recorded
    std::array<u64, kEventTypes> added{};      ///< at the edges, so that the rest is balanced
    std::array<u64, kRecordKinds> unwanted{};  ///< left out for their kind; attributes one by one
};

/// Makes the events of a location in a part from all of its events. Where an interval begins,
/// what is open there is opened; where it ends, it is closed. Regions around what names let
/// through are kept. Memory: what is open, and operations outstanding.
class LocationCutter {
  public:
    /// All must outlive the cutter. `on_stream`: the location is a stream of an accelerator.
    /// `left_out`: operations that are not in the part. `nesting` as EventSelector.
    LocationCutter(const CutRequest& request, const DefinitionIndex& definitions,
                   const MappingTables& tables, const Intervals& intervals, bool on_stream,
                   const NumberSet& left_out, CutCounts& counts, u32 location,
                   const RegionNesting::Location* nesting)
        : request_(request),
          selector_(request, definitions, tables, intervals, location, on_stream, nesting),
          on_stream_(on_stream),
          left_out_(left_out),
          counts_(counts) {}

    /// Appends to `out` what becomes of the next event.
    void add(const RecordBatch& batch, const RecordBatch::Head& head, RecordBatch& out);

  private:
    void enter(const Interval& interval, RecordBatch& out);
    void leave(const Interval& interval, RecordBatch& out);
    void open_all(RecordBatch& out);
    void open(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head);
    void close(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head,
               Side side, RecordBatch& out);
    OpenScopes::Entry* find_closed(const ScopePair& pair, const RecordBatch& batch,
                                   const RecordBatch::Head& head);
    void forget(OpenScopes::Entry* entry);
    void put(const RecordBatch& batch, const RecordBatch::Head& head, RecordBatch& out);
    void put(const RecordBatch& batch, const RecordBatch::Head& head, u64 time, RecordBatch& out);
    [[nodiscard]] bool is_left_out(const OperationTracker::Step& step) const;

    const CutRequest& request_;
    EventSelector selector_;
    bool on_stream_;
    const NumberSet& left_out_;
    CutCounts& counts_;
    OperationTracker operations_;
    OpenScopes scopes_;
    RegionStack<OpenRegion> regions_;  ///< those of scopes_
    u64 untold_ = 0;                   ///< entries of scopes_
    u64 stretch_ = 0;                  ///< number of the interval; odd within, even between
    u64 begin_ = 0;                    ///< of the interval
};

}  // namespace tracefold
