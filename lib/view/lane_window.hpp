// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view/lane.hpp"

#include <algorithm>
#include <optional>
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
        uses.take(lane.symbols()[item.symbol].use, {item.begin, item.end()}, clipped);
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

}  // namespace tracefold
