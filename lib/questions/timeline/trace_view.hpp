// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/iterations.hpp"
#include "questions/timeline/detail/lane_window.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracefold {

struct ViewRow {
    u32 location = 0;
    std::string label;   ///< ParticipantNames::label()
    u32 rank = kNone;    ///< kNone: not an MPI process
    u32 node = 0;        ///< index into ViewRows::nodes
    u32 rank_class = 0;  ///< number of the script class, from 0
    bool stream = false;
};

/// Rows of a trace by rank, then locations without a rank; omits locations without calls.
struct ViewRows {
    std::vector<ViewRow> rows;
    std::vector<std::string> nodes;
    u32 classes = 0;
};
ViewRows view_rows(TraceFile& file, const ParticipantNames& names);

/// A call that a search found.
struct FoundCall {
    u32 location = 0;
    u64 call = 0;
    LaneItem item;
    u32 symbol = 0;  ///< in the structure
};

/// Answers timeline queries of a page: windows of any rows at any resolution, single calls,
/// searches. A second thread builds lanes ahead. Thread-safe; queries that need listings are
/// serialised. Memory: `lane_bytes` plus a TraceFile.
class TraceView {
  public:
    /// Throws Error(corrupt).
    TraceView(std::unique_ptr<TraceFile> file, std::size_t lane_bytes);
    /// Uses an open file and steps shared with other users. Both must outlive the view.
    TraceView(TraceFile& file, FoundSteps& steps, std::size_t lane_bytes);
    TraceView(const TraceView&) = delete;
    TraceView& operator=(const TraceView&) = delete;
    ~TraceView();

    [[nodiscard]] const ViewRows& rows() const { return rows_; }
    [[nodiscard]] const DefinitionIndex& definitions() const { return file_.definitions(); }
    [[nodiscard]] const TraceSummary& summary() const { return file_.summary(); }
    [[nodiscard]] TickRate tick_rate() const { return definitions().tick_rate(); }
    [[nodiscard]] LaneCache::Filling filling() const { return lanes_.filling(); }

    /// The lane of a row, built if missing. Throws Error(corrupt).
    std::shared_ptr<const Lane> lane(u32 row);
    /// Builds the lanes of rows in order, up to the capacity. Throws Error(corrupt).
    void make_lanes();
    /// Announces the order in which rows will be requested: make_ahead() begins with the last.
    void expect(const std::vector<u32>& rows);
    /// Marks the lane of a row for early eviction until its next use.
    void release(u32 row) { lanes_.release(rows_.rows[row].location); }
    /// The row of a location; kNone: none.
    [[nodiscard]] u32 row_of(u32 location) const { return row_of_[location]; }

    /// Display name of a symbol of a lane: its region, else its record.
    std::string name_of(const LaneSymbol& symbol);

    /// End of the last call in all lanes built so far, in ticks since the first event.
    [[nodiscard]] u64 end_so_far() const { return end_; }
    /// Makes end_so_far() cover all rows. Each process builds the lanes of its locations with
    /// `threads` threads, up to the capacity, and shares them. Cost: unwinds the locations.
    /// Collective; throws the same Error(corrupt) on all processes.
    void find_end(Communicator& comm, u32 threads);
    /// From the earliest begin of MPI_Init to the latest end of MPI_Finalize in these lanes;
    /// without them, from the first call to the last.
    TickWindow program_window(const std::vector<u32>& rows);
    /// From the earliest end of MPI_Init to the latest begin of MPI_Finalize in these lanes; where
    /// one of them is missing, as program_window().
    TickWindow run_window(const std::vector<u32>& rows);
    /// The activity of each function and copy of these lanes by name, but for computation. Of
    /// several, the one that is not "other MPI".
    std::map<std::string, TimeUse> uses_by_name(const std::vector<u32>& rows);

    /// Finds the first call of this name on these rows that begins after a tick and has a minimum
    /// duration; with `before`, the last one that begins before it. Cost: the calls in between.
    struct CallSearch {
        std::string name;  ///< lower-case substring
        u64 least_ticks = 0;
        u64 tick = 0;
        bool backwards = false;
    };
    std::optional<FoundCall> find(const std::vector<u32>& rows, const CallSearch& search);

    /// The steps of a location; null without steps. Cost: finds the steps once.
    const LocationSteps* steps(u32 location);

    [[nodiscard]] TraceFile& file() { return file_; }
    /// Runs `work` with exclusive access to the listing.
    template <class Work>
    auto with_listing(const Work& work) {
        const std::lock_guard lock(mutex_);
        return work(listing_);
    }
    [[nodiscard]] const CommonClock& clock() const { return clock_; }
    [[nodiscard]] const ParticipantNames& names() const { return names_; }

    /// Starts building the lanes of all rows ahead, expected rows first, up to the capacity.
    void make_ahead();
    /// While one exists, only expected rows are built ahead: other work needs the processors.
    class Pause {
      public:
        explicit Pause(TraceView& view) : view_(view) { view_.change_pauses(1); }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
        ~Pause() { view_.change_pauses(-1); }

      private:
        TraceView& view_;
    };

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
    bool make_next_ahead(const std::vector<u32>& all);
    void change_pauses(int by);
    std::optional<FoundCall> find_in(const Lane& lane, const CallSearch& search);
    std::vector<bool> matches_of(const Lane& lane, const std::string& name);

    std::unique_ptr<TraceFile> own_file_;  ///< unless the file is shared
    TraceFile& file_;
    RegionUses regions_;
    ParticipantNames names_;
    CommonClock clock_;
    ViewRows rows_;
    std::vector<u32> row_of_;  ///< by location
    LaneCache lanes_;
    std::atomic<u64> end_ = 0;
    std::mutex mutex_;  ///< guards these and the search for iterations
    std::vector<std::optional<std::string>> symbol_names_;  ///< by symbol
    ListingSource listing_;
    std::optional<FoundSteps> own_steps_;  ///< unless the steps are shared
    std::optional<Iterations> iterations_;
    std::mutex wanted_mutex_;  ///< guards these
    std::condition_variable changed_;
    std::vector<u32> wanted_;  ///< locations with waiting requests
    int pauses_ = 0;
    std::atomic<bool> ending_ = false;
    std::thread ahead_;
};

}  // namespace tracefold
