// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/detail/lane_window.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

/// Distributes time over the columns of a window.
class ColumnFiller {
  public:
    ColumnFiller(TickWindow window, std::size_t columns)
        : window_(window),
          width_(static_cast<double>(window.length()) / static_cast<double>(columns)),
          sums_(columns) {}

    [[nodiscard]] double width() const { return width_; }

    /// `weight`: share of the time with this use.
    void add(u64 begin, u64 end, std::size_t use, double weight) {
        if (begin >= window_.end || end <= window_.begin || weight <= 0) return;
        const double from = begin > window_.begin ? place_of(begin) : 0;
        const double to = end < window_.end ? place_of(end) : static_cast<double>(sums_.size());
        auto column = static_cast<std::size_t>(from);
        for (; column < sums_.size() && static_cast<double>(column) < to; ++column) {
            const double left = std::max(from, static_cast<double>(column));
            const double right = std::min(to, static_cast<double>(column + 1));
            sums_[column][use] += (right - left) * weight;
        }
    }

    [[nodiscard]] std::vector<std::array<u8, kTimeUses>> shares() const {
        std::vector<std::array<u8, kTimeUses>> result(sums_.size());
        for (std::size_t column = 0; column < sums_.size(); ++column) {
            for (std::size_t use = 0; use < kTimeUses; ++use) {
                const double share = std::clamp(sums_[column][use], 0.0, 1.0);
                result[column][use] = static_cast<u8>(std::lround(share * 255));
            }
        }
        return result;
    }

  private:
    [[nodiscard]] double place_of(u64 tick) const {
        return static_cast<double>(tick - window_.begin) / width_;
    }

    TickWindow window_;
    double width_;  ///< ticks per column
    std::vector<std::array<double, kTimeUses>> sums_;
};

bool overlaps(u64 begin, u64 end, TickWindow window) {
    return begin < window.end && end > window.begin;
}

/// Whether chunk summaries resolve the columns of a block.
bool chunks_suffice(const Lane& lane, std::size_t first, std::size_t end, TickWindow window,
                    double width) {
    for (std::size_t chunk = first; chunk < end; ++chunk) {
        const u64 begin = lane.chunks()[chunk].begin;
        const u64 stop = lane.chunk_end(chunk);
        if (overlaps(begin, stop, window) && static_cast<double>(stop - begin) > width)
            return false;
    }
    return true;
}

void add_chunks(const Lane& lane, std::size_t first, std::size_t end, ColumnFiller& filler) {
    for (std::size_t chunk = first; chunk < end; ++chunk) {
        const Lane::Chunk& summary = lane.chunks()[chunk];
        for (std::size_t use = 0; use < kTimeUses; ++use) {
            if (summary.shares[use] == 0) continue;
            filler.add(summary.begin, lane.chunk_end(chunk), use, summary.shares[use] / 255.0);
        }
    }
}

/// Whether the chunks prove that there are more than `most` boxes.
bool has_more_calls(const Lane& lane, TickWindow window, std::size_t most) {
    const std::size_t chunks = lane.chunk_at(window.end) - lane.chunk_at(window.begin);
    return chunks > 2 + 2 * most / Lane::kChunkItems;
}

/// Collects the boxes of a window, call by call.
class BoxCollector {
  public:
    BoxCollector(const Lane& lane, TickWindow window, std::size_t most)
        : lane_(lane), window_(window), most_(most), open_(lane.on_stream()) {}

    void begin(LaneScopes open) { open_ = std::move(open); }

    /// False if there are too many.
    bool take(u64 call, const LaneItem& item) {
        const SymbolUse& use = lane_.symbols()[item.symbol].use;
        last_ = std::max(last_, item.end());
        open_.take(call, item, use,
                   [this](const LaneScope& scope, u64 end) { add(box_of(scope, end, false)); });
        return boxes_.size() <= most_;
    }

    std::vector<LaneBox> finish() {
        for (const LaneScope& scope : open_.open()) add(box_of(scope, last_, true));
        std::sort(boxes_.begin(), boxes_.end(), [](const LaneBox& a, const LaneBox& b) {
            return std::tuple(a.call, a.begin, a.depth) < std::tuple(b.call, b.begin, b.depth);
        });
        return std::move(boxes_);
    }

  private:
    [[nodiscard]] LaneBox box_of(const LaneScope& scope, u64 end, bool open) const {
        return {scope.call,
                scope.symbol,
                scope.depth,
                scope.begin,
                end,
                open,
                lane_.symbols()[scope.symbol].use.use};
    }

    void add(const LaneBox& box) {
        if (box.begin < window_.end &&
            (box.end > window_.begin || box.begin >= window_.begin || box.open))
            boxes_.push_back(box);
    }

    const Lane& lane_;
    TickWindow window_;
    std::size_t most_;
    LaneScopes open_;
    std::vector<LaneBox> boxes_;
    u64 last_ = 0;
};

}  // namespace

std::optional<BlockRange> blocks_in(const Lane& lane, TickWindow window) {
    if (lane.blocks().empty() || window.begin > lane.end() || window.end < lane.begin())
        return std::nullopt;
    // With corrected clocks, a call at the end of a block may overlap the next one.
    const std::size_t at = lane.block_at(window.begin);
    return BlockRange{at == 0 ? 0 : at - 1, lane.block_at(window.end)};
}

LaneColumns lane_columns(const Lane& lane, TickWindow window, std::size_t columns) {
    LaneColumns result;
    ColumnFiller filler(window, columns);
    const std::optional<BlockRange> range = blocks_in(lane, window);
    constexpr std::size_t kChunks = Lane::kBlockItems / Lane::kChunkItems;
    for (std::size_t block = range ? range->first : 1; range && block <= range->last; ++block) {
        const std::size_t first = block * kChunks;
        const std::size_t end = std::min(first + kChunks, lane.chunks().size());
        if (chunks_suffice(lane, first, end, window, filler.width())) {
            add_chunks(lane, first, end, filler);
            result.exact = false;
            continue;
        }
        replay_uses(lane, {block, block}, [&](u64 from, u64 to, TimeUse use) {
            filler.add(from, to, static_cast<std::size_t>(use), 1);
        });
    }
    result.shares = filler.shares();
    return result;
}

bool are_at_most(const std::vector<LaneBox>& boxes, const Lane& lane, TickWindow window,
                 std::size_t most) {
    if (!blocks_in(lane, window)) return true;
    // Excludes boxes that end after the window.
    const auto closed = std::ranges::count(boxes, false, &LaneBox::open);
    return !has_more_calls(lane, window, most) && static_cast<std::size_t>(closed) <= most;
}

std::optional<std::vector<LaneBox>> lane_boxes(const Lane& lane, TickWindow window,
                                               std::size_t most) {
    const std::optional<BlockRange> range = blocks_in(lane, window);
    if (!range) return std::vector<LaneBox>{};
    if (has_more_calls(lane, window, most)) return std::nullopt;
    BoxCollector boxes(lane, window, most);
    boxes.begin(lane.open(range->first));
    for (std::size_t block = range->first; block <= range->last; ++block) {
        u64 call = lane.blocks()[block].first_call;
        for (const LaneItem& item : lane.items(block)) {
            if (item.begin >= window.end) return boxes.finish();
            if (!boxes.take(call++, item)) return std::nullopt;
        }
    }
    return boxes.finish();
}

std::vector<LaneScope> scopes_of(const Lane& lane, u64 call) {
    if (lane.on_stream()) return {};
    const std::size_t block = lane.block_of(call);
    LaneScopes open = lane.open(block);
    u64 number = lane.blocks()[block].first_call;
    for (const LaneItem& item : lane.items(block)) {
        if (number == call) break;
        open.take(number++, item, lane.symbols()[item.symbol].use, [](const LaneScope&, u64) {});
    }
    const std::span<const LaneScope> scopes = open.open();
    return {scopes.begin(), scopes.end()};
}

std::optional<u64> end_of_scope(const Lane& lane, u64 call) {
    std::optional<u64> result;
    const u32 symbol = lane.item(call).symbol;
    LaneScopes open = lane.open(lane.block_of(call));
    u64 number = lane.blocks()[lane.block_of(call)].first_call;
    for (std::size_t block = lane.block_of(call); block < lane.blocks().size(); ++block) {
        for (const LaneItem& item : lane.items(block)) {
            open.take(number++, item, lane.symbols()[item.symbol].use,
                      [&](const LaneScope& scope, u64 end) {
                          if (scope.call == call && scope.symbol == symbol) result = end;
                      });
            if (result) return result;
        }
    }
    return result;
}

std::shared_ptr<const Lane> LaneCache::get(u32 location, const Maker& make) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Lane> lane = find(location, lock);
    return lane ? lane : make_now(location, make, lock);
}

std::shared_ptr<const Lane> LaneCache::get_if_room(u32 location, const Maker& make) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Lane> lane = find(location, lock);
    return lane || !has_room() ? lane : make_now(location, make, lock);
}

bool LaneCache::make_ahead(const std::vector<u32>& locations, const Maker& make) {
    std::unique_lock lock(mutex_);
    if (!has_room()) return false;
    for (const u32 location : locations) {
        if (lanes_.contains(location) || released_.contains(location)) continue;
        make_now(location, make, lock);
        return true;
    }
    return false;
}

void LaneCache::take(const std::shared_ptr<const Lane>& lane) {
    const std::lock_guard lock(mutex_);
    if (!has_room() || lanes_.contains(lane->location())) return;
    uses_.push_front(lane->location());
    lanes_[lane->location()] = {nullptr, uses_.begin()};
    note_made(lane->location(), lane);
}

void LaneCache::release(u32 location) {
    const std::lock_guard lock(mutex_);
    if (!released_.insert(location).second) return;
    const auto kept = lanes_.find(location);
    if (kept == lanes_.end()) return;
    uses_.splice(uses_.end(), uses_, kept->second.use);
    if (kept->second.lane) released_bytes_ += kept->second.lane->memory();
}

bool LaneCache::contains(u32 location) const {
    const std::lock_guard lock(mutex_);
    return lanes_.contains(location);
}

/// Returns the lane, waiting for a thread that builds it; null if it is neither stored nor being
/// built.
std::shared_ptr<const Lane> LaneCache::find(u32 location, std::unique_lock<std::mutex>& lock) {
    auto kept = lanes_.find(location);
    const bool is_kept = kept != lanes_.end() && kept->second.lane;
    if (released_.erase(location) != 0 && is_kept) released_bytes_ -= kept->second.lane->memory();
    for (; kept != lanes_.end(); kept = lanes_.find(location)) {
        if (kept->second.lane) {
            uses_.splice(uses_.begin(), uses_, kept->second.use);
            return kept->second.lane;
        }
        made_.wait(lock);
    }
    return nullptr;
}

std::shared_ptr<const Lane> LaneCache::make_now(u32 location, const Maker& make,
                                                std::unique_lock<std::mutex>& lock) {
    uses_.push_front(location);
    lanes_[location] = {nullptr, uses_.begin()};
    ++making_;
    lock.unlock();
    std::shared_ptr<const Lane> lane;
    std::exception_ptr failure;
    try {
        lane = make(location);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    --making_;
    if (failure) {
        uses_.erase(lanes_[location].use);
        lanes_.erase(location);
    } else {
        note_made(location, lane);
    }
    made_.notify_all();
    if (failure) std::rethrow_exception(failure);
    return lane;
}

void LaneCache::note_made(u32 location, std::shared_ptr<const Lane> lane) {
    const std::size_t bytes = lane->memory();
    bytes_ += bytes;
    largest_ = std::max(largest_, bytes);
    if (released_.contains(location)) released_bytes_ += bytes;
    lanes_[location].lane = std::move(lane);
    let_go();
}

bool LaneCache::has_room() const {
    return bytes_ - released_bytes_ + (making_ + 1) * largest_ <= most_bytes_;
}

/// Evicts lanes, but never the one used last.
void LaneCache::let_go() {
    for (auto last = uses_.end(); bytes_ > most_bytes_ && last != uses_.begin();) {
        --last;
        const auto kept = lanes_.find(*last);
        if (last == uses_.begin() || !kept->second.lane) continue;
        const std::size_t bytes = kept->second.lane->memory();
        bytes_ -= bytes;
        if (released_.contains(*last)) released_bytes_ -= bytes;
        lanes_.erase(kept);
        last = uses_.erase(last);
    }
}

LaneCache::Filling LaneCache::filling() const {
    const std::lock_guard lock(mutex_);
    return {lanes_.size(), bytes_};
}

}  // namespace tracefold
