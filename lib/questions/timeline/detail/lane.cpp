// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/detail/lane.hpp"

#include "base/bytes.hpp"
#include "base/types.hpp"
#include "base/zstd_frame.hpp"

#include <algorithm>
#include <unordered_map>

namespace tracefold {

namespace {

/// Fast compression: users wait for lanes.
constexpr int kLaneLevel = 1;

template <class Part>
std::size_t last_from(const std::vector<Part>& parts, u64 tick) {
    const auto after = std::upper_bound(parts.begin(), parts.end(), tick,
                                        [](u64 at, const Part& part) { return at < part.begin; });
    return after == parts.begin() ? 0 : static_cast<std::size_t>(after - parts.begin()) - 1;
}

/// Symbols, then times, then durations: similar numbers are adjacent.
std::string pack(const std::vector<LaneItem>& items, u64 begin) {
    ByteWriter out;
    for (const LaneItem& item : items) out.put_varint(item.symbol);
    for (const LaneItem& item : items) {
        out.put_signed(static_cast<i64>(item.begin - begin));
        begin = item.end();
    }
    for (const LaneItem& item : items) out.put_signed(item.duration);
    for (const LaneItem& item : items) {
        for (const u64 offset : item.offsets) out.put_varint(offset);
    }
    return out.take();
}

u8 share_of(u64 part, u64 whole) {
    if (whole == 0) return 0;
    return static_cast<u8>((static_cast<u128>(part) * 255 + whole / 2) / whole);
}

}  // namespace

u32 LaneScopes::depth() const {
    if (!open_.overlaps()) return static_cast<u32>(open().size());
    u32 row = 0;
    const auto is_taken = [&row](const LaneScope& it) { return it.depth == row; };
    while (std::ranges::any_of(open(), is_taken)) ++row;
    return row;
}

std::size_t Lane::block_at(u64 tick) const { return last_from(blocks_, tick); }

std::size_t Lane::chunk_at(u64 tick) const { return last_from(chunks_, tick); }

std::vector<LaneItem> Lane::items(std::size_t block) const {
    const Block& packed = blocks_[block];
    const std::string bytes = zstd_decompress(packed.bytes, packed.raw_bytes, "a lane");
    ByteReader in(bytes, "a lane");
    std::vector<LaneItem> items(packed.items);
    for (LaneItem& item : items) item.symbol = static_cast<u32>(in.get_varint());
    for (LaneItem& item : items) item.begin = static_cast<u64>(in.get_signed());
    for (LaneItem& item : items) item.duration = in.get_signed();
    for (LaneItem& item : items) {
        item.offsets.resize(symbols_[item.symbol].use.steps.size());
        for (u64& offset : item.offsets) offset = in.get_varint();
    }
    u64 begin = packed.begin;
    for (LaneItem& item : items) {
        item.begin += begin;
        begin = item.end();
    }
    return items;
}

std::vector<LaneScope> Lane::scopes_to(u32 innermost) const {
    std::vector<LaneScope> scopes;
    for (u32 at = innermost; at != kNone; at = scopes_[at].outer) {
        scopes.push_back(scopes_[at].scope);
    }
    std::reverse(scopes.begin(), scopes.end());
    return scopes;
}

template <class Enter, class BeginTask>
void Lane::resume(const Block& block, const Enter& enter, const BeginTask& begin_task) const {
    const std::vector<LaneScope> scopes = scopes_to(block.open);
    for (std::size_t i = 0; i < block.suspended; ++i) enter(scopes[i]);
    if (block.in_task) begin_task();
    for (std::size_t i = block.suspended; i < scopes.size(); ++i) enter(scopes[i]);
}

LaneScopes Lane::open(std::size_t block) const {
    LaneScopes open(on_stream_);
    resume(
        blocks_[block],
        [&](const LaneScope& scope) { open.enter(scope, symbols_[scope.symbol].use.is_mpi); },
        [&] { open.begin_task(); });
    return open;
}

UseTracker Lane::uses(std::size_t block) const {
    UseTracker uses = blocks_[block].uses;
    resume(
        blocks_[block], [&](const LaneScope& scope) { uses.resume(resumed(scope)); },
        [&] { uses.resume_task(); });
    return uses;
}

ResumedRegion Lane::resumed(const LaneScope& scope) const {
    const SymbolUse& use = symbols_[scope.symbol].use;
    return {scope.region, scope.symbol, use.is_mpi, use.use};
}

LaneItem Lane::item(u64 call) const { return LaneItemReader(*this).item(call); }

const LaneItem& LaneItemReader::item(u64 call) {
    const std::size_t block = lane_.block_of(call);
    if (block != block_) items_ = lane_.items(block);
    block_ = block;
    return items_[call - lane_.blocks()[block].first_call];
}

std::size_t Lane::memory() const {
    std::size_t bytes = sizeof(Lane) + chunks_.size() * sizeof(Chunk);
    for (const Block& block : blocks_) {
        bytes += sizeof(Block) + block.bytes.capacity();
    }
    return bytes + symbols_.size() * sizeof(LaneSymbol) + scopes_.size() * sizeof(KeptScope);
}

namespace {

/// Begin and duration of a location's calls.
class LaneTimes {
  public:
    LaneTimes(const CommonClock& clock, u32 location) : clock_(clock), location_(location) {}

    /// Item of the next call; `symbol`: its number in the lane.
    LaneItem next(RecordSpan records, const SymbolUse& use, u32 symbol) {
        const u64 first = records[0].time;
        // Keeps boxes and time sums monotonic despite clock errors.
        begin_ = std::max(begin_, clock_.since_start(location_, first));
        LaneItem item{symbol, begin_, 0, step_offsets(use, records)};
        if (use.kind == CallKind::call || !use.steps.empty()) {
            item.duration = static_cast<i64>(records[records.size() - 1].time - first);
        }
        if (!item.offsets.empty()) begin_ += item.offsets.back();
        return item;
    }

  private:
    const CommonClock& clock_;
    u32 location_;
    u64 begin_ = 0;  ///< of the preceding call
};

}  // namespace

/// Builds a lane call by call.
class LaneBuilder {
  public:
    LaneBuilder(TraceFile& file, const RegionUses& regions, const CommonClock& clock, u32 location)
        : times_(clock, location),
          calls_(file, location),
          uses_(file, regions, location),
          tracker_(is_worker(file, location), uses_.on_stream()),
          open_(uses_.on_stream()),
          numbers_(file.structure().symbols.size(), kNone) {
        lane_.location_ = location;
        lane_.on_stream_ = uses_.on_stream();
    }

    Lane build() {
        while (calls_.next()) take();
        if (lane_.calls_ == 0) return std::move(lane_);
        tracker_.finish(lane_.end_,
                        [this](u64 begin, u64 end, TimeUse use) { spend(begin, end, use); });
        close_chunks(lane_.chunks_.size());
        close_block();
        lane_.chunks_.shrink_to_fit();
        lane_.blocks_.shrink_to_fit();
        return std::move(lane_);
    }

  private:
    void take() {
        const SymbolUse& use = uses_.of(calls_);
        const LaneItem item = item_of(use);
        if (lane_.calls_ == 0) lane_.begin_ = item.begin;
        if (lane_.calls_ % Lane::kBlockItems == 0) begin_block(item.begin);
        if (lane_.calls_ % Lane::kChunkItems == 0) lane_.chunks_.push_back({item.begin, {}});
        items_.push_back(item);
        tracker_.take(use, {item.begin, item.end()}, item.offsets,
                      [this](u64 begin, u64 end, TimeUse spent) { spend(begin, end, spent); });
        nest(item, use);
        lane_.end_ = std::max(lane_.end_, item.end());
        ++lane_.calls_;
    }

    LaneItem item_of(const SymbolUse& use) {
        const LaneItem item = times_.next(calls_.records(), use, number_of(use));
        LaneSymbol& symbol = lane_.symbols_[item.symbol];
        symbol.begin = std::min(symbol.begin, item.begin);
        symbol.end = std::max(symbol.end, item.end());
        return item;
    }

    u32 number_of(const SymbolUse& use) {
        if (use.number >= numbers_.size()) numbers_.resize(use.number + std::size_t{1}, kNone);
        if (numbers_[use.number] == kNone) {
            SymbolUse known = use;
            number_resumed(known);
            for (SymbolUse& step : known.steps) number_resumed(step);
            numbers_[use.number] = add_symbol({calls_.symbol_id(), std::move(known), ~u64{0}, 0});
        }
        return numbers_[use.number];
    }

    void number_resumed(SymbolUse& use) {
        for (ResumedRegion& it : use.resumed) it.symbol = number_of(it);
    }

    /// The number of a symbol that enters the resumed region elsewhere.
    u32 number_of(const ResumedRegion& it) {
        const auto [found, fresh] = resumed_.try_emplace(it.region, kNone);
        if (fresh) {
            SymbolUse use;
            use.kind = CallKind::enter;
            use.record = static_cast<u8>(EventType::Enter);
            use.is_mpi = it.is_mpi;
            use.use = it.use;
            use.region = it.region;
            found->second = add_symbol({it.symbol, use, ~u64{0}, 0});
        }
        return found->second;
    }

    u32 add_symbol(LaneSymbol symbol) {
        lane_.symbols_.push_back(std::move(symbol));
        return static_cast<u32>(lane_.symbols_.size() - 1);
    }

    void begin_block(u64 begin) {
        close_block();
        Lane::Block block{begin, lane_.calls_, 0, 0, {}, tracker_.without_regions()};
        block.in_task = open_.in_task();
        block.suspended = static_cast<u32>(open_.suspended());
        block.open = keep_open();
        lane_.blocks_.push_back(std::move(block));
    }

    /// The innermost open region stored in the lane.
    u32 keep_open() {
        const std::span<const LaneScope> open = open_.open();
        for (std::size_t depth = kept_.size(); depth < open.size(); ++depth) {
            const u32 outer = depth == 0 ? kNone : kept_[depth - 1];
            kept_.push_back(static_cast<u32>(lane_.scopes_.size()));
            lane_.scopes_.push_back({open[depth], outer});
        }
        return kept_.empty() ? kNone : kept_.back();
    }

    void close_block() {
        if (items_.empty()) return;
        Lane::Block& block = lane_.blocks_.back();
        const std::string raw = pack(items_, block.begin);
        block.items = static_cast<u32>(items_.size());
        block.raw_bytes = static_cast<u32>(raw.size());
        block.bytes = zstd_compress(raw, kLaneLevel);
        block.bytes.shrink_to_fit();
        items_.clear();
    }

    void nest(const LaneItem& item, const SymbolUse& use) {
        for (std::size_t i = 0; i < use.steps.size(); ++i) {
            nest({item.symbol, item.begin + item.offsets[i]}, use.steps[i]);
        }
        if (!use.steps.empty()) return;
        if (use.task != SymbolUse::Task::same && open_.in_task()) {
            kept_.resize(std::min(kept_.size(), open_.suspended()));
        }
        open_.take(lane_.calls_, item, use, [](const LaneScope&, u64) {});
        // On a stream, any open region may have ended.
        kept_.resize(open_.overlaps() ? 0 : std::min(kept_.size(), open_.open().size()));
    }

    /// Distributes an interval over the chunks, whose ends are known up to the last.
    void spend(u64 begin, u64 end, TimeUse use) {
        while (begin < end) {
            const std::size_t next = spent_ + 1;
            const u64 stop =
                next < lane_.chunks_.size() ? std::min(end, lane_.chunks_[next].begin) : end;
            ticks_[static_cast<std::size_t>(use)] += stop > begin ? stop - begin : 0;
            begin = std::max(begin, stop);
            if (begin < end) close_chunks(next);
        }
    }

    /// Completes the chunks before `next`.
    void close_chunks(std::size_t next) {
        for (; spent_ < next; ++spent_) {
            u64 whole = 0;
            for (const u64 ticks : ticks_) whole += ticks;
            for (std::size_t use = 0; use < kTimeUses; ++use) {
                lane_.chunks_[spent_].shares[use] = share_of(ticks_[use], whole);
            }
            ticks_.fill(0);
        }
    }

    Lane lane_;
    LaneTimes times_;
    CallReader calls_;
    SymbolUses uses_;
    UseTracker tracker_;
    LaneScopes open_;
    std::vector<u32> kept_;                 ///< lane numbers of open_'s regions, outermost first
    std::vector<u32> numbers_;              ///< lane number by SymbolUse::number; kNone: not seen
    std::unordered_map<u64, u32> resumed_;  ///< symbols of the lane, by region of a task
    std::vector<LaneItem> items_;
    std::size_t spent_ = 0;  ///< chunk that receives time
    std::array<u64, kTimeUses> ticks_{};
};

std::shared_ptr<const Lane> make_lane(TraceFile& file, const RegionUses& regions,
                                      const CommonClock& clock, u32 location) {
    if (file.index().script(Stream::events, location) == kNone)
        return std::make_shared<const Lane>();
    return std::make_shared<const Lane>(LaneBuilder(file, regions, clock, location).build());
}

u64 lane_end(TraceFile& file, const RegionUses& regions, const CommonClock& clock, u32 location) {
    if (file.index().script(Stream::events, location) == kNone) return 0;
    CallReader calls(file, location);
    SymbolUses uses(file, regions, location);
    LaneTimes times(clock, location);
    u64 end = 0;
    while (calls.next()) {
        end = std::max(end, times.next(calls.records(), uses.of(calls), 0).end());
    }
    return end;
}

}  // namespace tracefold
