// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cut/event_selector.hpp"
#include "cut/number_set.hpp"
#include "cut/open_scopes.hpp"
#include "cut/operation_tracker.hpp"

#include <array>

namespace tracefold {

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
