// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/timeline/detail/lane.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// A region as drawn: position and symbol.
struct LaneBox {
    u64 call = 0;    ///< the call itself or the entering call; numbered from 0 in the lane
    u32 symbol = 0;  ///< index into Lane::symbols()
    u32 depth = 0;   ///< number of enclosing regions
    u64 begin = 0;
    u64 end = 0;
    bool open = false;  ///< extends beyond the window; `end`: end of the last call read
    TimeUse use = TimeUse::computation;
};

/// A window of a lane at one resolution.
struct LaneColumns {
    /// Share of each use by column, in 1/255; all 0 without records.
    std::vector<std::array<u8, kTimeUses>> shares;
    /// False if columns contain partial chunks: up to one chunk at each end of a column may count
    /// for its neighbour.
    bool exact = true;
};

/// Computes the columns of a window. Cost: columns and chunks in the window; where chunks are
/// longer than columns, the calls of their blocks. Preconditions: columns >= 1, the window is not
/// empty.
LaneColumns lane_columns(const Lane& lane, TickWindow window, std::size_t columns);

/// Regions that overlap the window, by ascending begin; none if more than `most`. Cost: calls in
/// the window plus two blocks.
std::optional<std::vector<LaneBox>> lane_boxes(const Lane& lane, TickWindow window,
                                               std::size_t most);

/// Whether lane_boxes() returns the same boxes for a smaller `most`.
bool are_at_most(const std::vector<LaneBox>& boxes, const Lane& lane, TickWindow window,
                 std::size_t most);

/// The regions around a call, outermost first. Precondition: call < lane.calls().
std::vector<LaneScope> scopes_of(const Lane& lane, u64 call);

/// Blocks that overlap a window.
struct BlockRange {
    std::size_t first = 0;
    std::size_t last = 0;  ///< inclusive
};
/// None if no block overlaps the window.
std::optional<BlockRange> blocks_in(const Lane& lane, TickWindow window);

/// Passes the uses of successive blocks: `sink(begin, end, use)`, in order. Cost: their calls and
/// the regions open at the begin of the first one.
template <class Sink>
void replay_uses(const Lane& lane, BlockRange range, Sink&& sink) {
    const TickWindow part{lane.blocks()[range.first].begin, lane.block_end(range.last)};
    UseTracker uses = lane.uses(range.first);
    const auto clipped = [&](u64 begin, u64 end, TimeUse use) {
        begin = std::max(begin, part.begin);
        end = std::min(end, part.end);
        if (begin < end) sink(begin, end, use);
    };
    for (std::size_t block = range.first; block <= range.last; ++block) {
        for (const LaneItem& item : lane.items(block)) {
            uses.take(lane.symbols()[item.symbol].use, {item.begin, item.end()}, item.offsets,
                      clipped);
        }
    }
    uses.finish(part.end, clipped);
}

/// Passes the calls that overlap the window with their numbers: `sink(call, item)`, until it
/// returns false. Cost: these calls plus two blocks.
template <class Sink>
void visit_calls(const Lane& lane, TickWindow window, Sink&& sink) {
    const std::optional<BlockRange> range = blocks_in(lane, window);
    if (!range) return;
    for (std::size_t block = range->first; block <= range->last; ++block) {
        u64 call = lane.blocks()[block].first_call;
        for (const LaneItem& item : lane.items(block)) {
            if (item.begin > window.end) return;
            if (item.end() >= window.begin && !sink(call, item)) return;
            ++call;
        }
    }
}

/// End of the region that a call enters; none if it was not recorded. Precondition: the call enters
/// a region. Cost: the calls in the region.
std::optional<u64> end_of_scope(const Lane& lane, u64 call);

/// A cache of lanes. Evicts released ones first, then the least recently used. Thread-safe.
class LaneCache {
  public:
    using Maker = std::function<std::shared_ptr<const Lane>(u32 location)>;

    /// `most_bytes`: capacity; the lanes of one answer may exceed it temporarily.
    explicit LaneCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// The lane of a location; waits if another thread builds it, else calls `make`. Throws what
    /// `make` throws.
    std::shared_ptr<const Lane> get(u32 location, const Maker& make);
    /// The lane of a location; null if it must be built and does not fit. Capacity check, also for
    /// make_ahead(): only released lanes may be evicted, and a lane is assumed to be as large as
    /// the largest so far.
    std::shared_ptr<const Lane> get_if_room(u32 location, const Maker& make);
    /// Builds the first of these lanes that is neither stored, being built, nor released. False if
    /// there is none or it does not fit.
    bool make_ahead(const std::vector<u32>& locations, const Maker& make);
    /// Stores a lane built elsewhere, unless it does not fit or is already stored.
    void take(const std::shared_ptr<const Lane>& lane);
    /// Marks a lane for early eviction until its next use.
    void release(u32 location);
    [[nodiscard]] bool contains(u32 location) const;

    /// Number of lanes and their memory in bytes.
    struct Filling {
        std::size_t lanes = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Filling filling() const;

  private:
    struct Kept {
        std::shared_ptr<const Lane> lane;  ///< null: being built
        std::list<u32>::iterator use;
    };

    std::shared_ptr<const Lane> find(u32 location, std::unique_lock<std::mutex>& lock);
    std::shared_ptr<const Lane> make_now(u32 location, const Maker& make,
                                         std::unique_lock<std::mutex>& lock);
    void note_made(u32 location, std::shared_ptr<const Lane> lane);
    [[nodiscard]] bool has_room() const;
    void let_go();

    std::size_t most_bytes_;
    mutable std::mutex mutex_;
    std::condition_variable made_;
    std::unordered_map<u32, Kept> lanes_;
    std::list<u32> uses_;               ///< most recently used first, released last
    std::unordered_set<u32> released_;  ///< stored or not
    std::size_t bytes_ = 0;
    std::size_t released_bytes_ = 0;  ///< part of bytes_
    std::size_t largest_ = 0;         ///< largest lane so far
    std::size_t making_ = 0;          ///< lanes being built
};

}  // namespace tracefold
