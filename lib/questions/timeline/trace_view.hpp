// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/main_loop.hpp"
#include "questions/timeline/detail/lane_window.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracefold {

/// One row of a timeline.
struct ViewRow {
    u32 location = 0;
    std::string label;   ///< ParticipantNames::label()
    u32 rank = kNone;    ///< kNone: no MPI process
    u32 node = 0;        ///< place in ViewRows::nodes
    u32 rank_class = 0;  ///< rows of one class run the same script; numbered from 0
    bool stream = false;
};

/// The rows of a trace in the order of ranks, those without a rank last; locations without calls
/// have none.
struct ViewRows {
    std::vector<ViewRow> rows;
    std::vector<std::string> nodes;
    u32 classes = 0;
};
ViewRows view_rows(TraceFile& file, const ParticipantNames& names);

/// A call that a search has found.
struct FoundCall {
    u32 location = 0;
    u64 call = 0;
    LaneItem item;
    u32 symbol = 0;  ///< of the structure
};

/// What a page asks of a trace: windows of time of any row at any resolution, single calls,
/// searches. A second thread makes lanes ahead, so that later questions are answered at once. For
/// concurrent use; questions that need listings wait for each other. Memory: `lane_bytes`, and what
/// a TraceFile takes.
class TraceView {
  public:
    /// Throws Error: io, corrupt, unsupported. `path`: of a folded file, which must stay; `name`:
    /// how messages call it.
    TraceView(const std::string& path, const std::string& name, std::size_t lane_bytes);
    /// Of a file that is open, whose steps others use as well. Both must outlive the view.
    TraceView(TraceFile& file, FoundSteps& steps, std::size_t lane_bytes);
    TraceView(const TraceView&) = delete;
    TraceView& operator=(const TraceView&) = delete;
    ~TraceView();

    [[nodiscard]] const ViewRows& rows() const { return rows_; }
    [[nodiscard]] const DefinitionIndex& definitions() const { return file_.definitions(); }
    [[nodiscard]] const TraceSummary& summary() const { return file_.summary(); }
    [[nodiscard]] TickRate tick_rate() const { return definitions().tick_rate(); }
    [[nodiscard]] LaneCache::Filling filling() const { return lanes_.filling(); }

    /// The lane of a row, made if it is not there. Throws Error(corrupt).
    std::shared_ptr<const Lane> lane(u32 row);
    /// Makes the lanes of rows in their order, as long as there is room. Throws Error(corrupt).
    void make_lanes();
    /// Rows whose lanes will be asked for in this order: make_ahead() begins with the last one.
    void expect(const std::vector<u32>& rows);
    /// Nobody needs the lane of this row, until it is asked for again: it is the first to go.
    void release(u32 row) { lanes_.release(rows_.rows[row].location); }
    /// The row of a location; kNone if it has none.
    [[nodiscard]] u32 row_of(u32 location) const { return row_of_[location]; }

    /// What people call a symbol of a lane: its region, else its record.
    std::string name_of(const LaneSymbol& symbol);

    /// The end of the last call of all lanes that were made so far, in ticks since the first event.
    [[nodiscard]] u64 end_so_far() const { return end_; }
    /// From now on end_so_far() is the end of the last call of all rows. Makes their lanes as far
    /// as there is room: each process, with so many threads, those of its locations, which the
    /// others get. Cost: unwinds the locations. Collective; throws the same Error(corrupt) on all.
    void find_end(Communicator& comm, u32 threads);
    /// From the earliest begin of MPI_Init to the latest end of MPI_Finalize in these lanes;
    /// without them, from their first call to their last.
    TickWindow program_window(const std::vector<u32>& rows);

    /// The first call of this name on these rows that begins after a tick and lasts at least so
    /// long. `before` instead: the last one that begins before it. Cost: the calls in between.
    struct CallSearch {
        std::string name;  ///< part of it, in lower case
        u64 least_ticks = 0;
        u64 tick = 0;
        bool backwards = false;
    };
    std::optional<FoundCall> find(const std::vector<u32>& rows, const CallSearch& search);

    /// The steps of a location; null without any. Cost: that of finding the steps, once.
    const LocationSteps* steps(u32 location);

    [[nodiscard]] TraceFile& file() { return file_; }
    /// Does something with what listings need while nobody else does.
    template <class Work>
    auto with_listing(const Work& work) {
        const std::lock_guard lock(mutex_);
        return work(listing_);
    }
    [[nodiscard]] const CommonClock& clock() const { return clock_; }
    [[nodiscard]] const ParticipantNames& names() const { return names_; }

    /// From now on makes the lanes of all rows ahead, those that are asked for first, as long as
    /// there is room.
    void make_ahead();

  private:
    TraceView(std::unique_ptr<TraceFile> own, TraceFile* file, FoundSteps* steps,
              std::size_t lane_bytes);
    std::shared_ptr<const Lane> made(u32 location);
    void note_end(u64 end);
    [[nodiscard]] std::vector<u32> locations_of_rows() const;
    std::shared_ptr<const Lane> lane_or_end(u32 location);
    void share_lanes(Communicator& comm, int from,
                     const std::vector<std::shared_ptr<const Lane>>& lanes);
    void work_ahead();
    std::optional<FoundCall> find_in(const Lane& lane, const CallSearch& search);
    std::vector<bool> matches_of(const Lane& lane, const std::string& name);

    std::unique_ptr<TraceFile> own_file_;  ///< if it is not that of others
    TraceFile& file_;
    RegionUses regions_;
    ParticipantNames names_;
    CommonClock clock_;
    ViewRows rows_;
    std::vector<u32> row_of_;  ///< by location
    LaneCache lanes_;
    std::atomic<u64> end_ = 0;
    std::mutex mutex_;                                      ///< of these, and of finding iterations
    std::vector<std::optional<std::string>> symbol_names_;  ///< by symbol
    ListingSource listing_;
    std::optional<FoundSteps> own_steps_;  ///< if they are not those of others
    std::optional<Iterations> iterations_;
    std::mutex wanted_mutex_;
    std::vector<u32> wanted_;  ///< locations whose lanes somebody waits for
    std::atomic<bool> ending_ = false;
    std::thread ahead_;
};

}  // namespace tracefold
