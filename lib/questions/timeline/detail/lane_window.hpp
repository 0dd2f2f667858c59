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

/// A region as it is drawn: where it stands and what it is about.
struct LaneBox {
    u64 call = 0;    ///< that it is, or that entered it; a number from 0 among those of the lane
    u32 symbol = 0;  ///< place in Lane::symbols()
    u32 depth = 0;   ///< regions around it
    u64 begin = 0;
    u64 end = 0;
    bool open =
        false;  ///< goes on behind the window, `end` is where the last call that was read ends
    TimeUse use = TimeUse::computation;
};

/// What a window of a lane shows at one resolution.
struct LaneColumns {
    /// Of each column the share of each use, of 255; all 0 where there are no records.
    std::vector<std::array<u8, kTimeUses>> shares;
    /// False if a column was put together from summaries of kChunkItems calls that it holds only in
    /// part, so that up to one of them at each of its ends may count for its neighbour.
    bool exact = true;
};

/// Cost: the columns and the chunks in the window; where a chunk is longer than a column, the calls
/// in its block. Preconditions: columns is at least 1, the window is not empty.
LaneColumns lane_columns(const Lane& lane, TickWindow window, std::size_t columns);

/// The regions that are open at some moment of the window, by rising begin; nothing if there are
/// more than `most`. Cost: the calls in the window, and those of two blocks.
std::optional<std::vector<LaneBox>> lane_boxes(const Lane& lane, TickWindow window,
                                               std::size_t most);

/// If lane_boxes() finds the same boxes with a smaller `most` too.
bool are_at_most(const std::vector<LaneBox>& boxes, const Lane& lane, TickWindow window,
                 std::size_t most);

/// The regions around a call, outermost first. Precondition: call < lane.calls().
std::vector<LaneScope> scopes_of(const Lane& lane, u64 call);

/// Blocks of which a part is in a window.
struct BlockRange {
    std::size_t first = 0;
    std::size_t last = 0;  ///< included
};
/// Nothing if there are none.
std::optional<BlockRange> blocks_in(const Lane& lane, TickWindow window);

/// Passes what a block of a lane spends its time on: `sink(begin, end, use)`, in order.
template <class Sink>
void replay_uses(const Lane& lane, std::size_t block, Sink&& sink) {
    const TickWindow part{lane.blocks()[block].begin, lane.block_end(block)};
    UseTracker uses = lane.uses(block);
    const auto clipped = [&](u64 begin, u64 end, TimeUse use) {
        begin = std::max(begin, part.begin);
        end = std::min(end, part.end);
        if (begin < end) sink(begin, end, use);
    };
    for (const LaneItem& item : lane.items(block)) {
        uses.take(lane.symbols()[item.symbol].use, {item.begin, item.end()}, item.offsets, clipped);
    }
    uses.finish(part.end, clipped);
}

/// Passes the calls that are going on at some moment of the window, `sink(call, item)` with their
/// numbers, until the sink says false. Cost: those calls, and those of two blocks.
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

/// When the region ends that a call enters; nothing if its end was not recorded. Precondition: the
/// call enters a region. Cost: the calls in the region.
std::optional<u64> end_of_scope(const Lane& lane, u64 call);

/// The lanes of a trace, made when they are asked for and kept as long as there is room for them;
/// those that were released go first, then those that were not asked for the longest time. For
/// concurrent use.
class LaneCache {
  public:
    /// Makes the lane of a location.
    using Maker = std::function<std::shared_ptr<const Lane>(u32 location)>;

    /// `most_bytes`: room for lanes; the lanes of one answer may exceed it for a while.
    explicit LaneCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// The lane of a location, made by `make` unless another thread is at it. Throws what `make`
    /// throws.
    std::shared_ptr<const Lane> get(u32 location, const Maker& make);
    /// The same, null instead if it would have to be made and has no room. For this and
    /// make_ahead(), there is room where no other lane has to go but those that were released; a
    /// lane is expected to be as large as the largest one so far.
    std::shared_ptr<const Lane> get_if_room(u32 location, const Maker& make);
    /// Makes the first of these lanes that nobody has made or is making and that was not released;
    /// false if there is none, or no room.
    bool make_ahead(const std::vector<u32>& locations, const Maker& make);
    /// Takes a lane that was made elsewhere, if there is room and it is not here.
    void take(const std::shared_ptr<const Lane>& lane);
    /// Nobody needs the lane of this location, until it is asked for again.
    void release(u32 location);
    [[nodiscard]] bool contains(u32 location) const;

    /// How many lanes there are, and their memory in bytes.
    struct Filling {
        std::size_t lanes = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Filling filling() const;

  private:
    struct Kept {
        std::shared_ptr<const Lane> lane;  ///< null: being made
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
    std::list<u32> uses_;               ///< the last used first, those released last
    std::unordered_set<u32> released_;  ///< kept or not
    std::size_t bytes_ = 0;
    std::size_t released_bytes_ = 0;  ///< of bytes_
    std::size_t largest_ = 0;         ///< of one lane so far
    std::size_t making_ = 0;          ///< lanes
};

}  // namespace tracefold
