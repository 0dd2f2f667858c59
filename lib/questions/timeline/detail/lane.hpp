// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/common_clock.hpp"
#include "questions/structure/symbol_uses.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// A call of a lane, or the begin or end of a region with nested calls.
struct LaneItem {
    u32 symbol = 0;    ///< place in Lane::symbols()
    u64 begin = 0;     ///< ticks since the first event, on the common clock
    i64 duration = 0;  ///< ticks by the location's own clock; of a call, or one with steps
    std::vector<u64> offsets = {};  ///< ticks from begin to each step (SymbolUse::steps)

    [[nodiscard]] u64 end() const {
        return duration > 0 ? begin + static_cast<u64>(duration) : begin;
    }
};

/// An open region and the call that entered it or, in an explicit task, resumed it.
struct LaneScope {
    u64 region = 0;
    u32 symbol = 0;  ///< index into Lane::symbols()
    u64 call = 0;
    u64 begin = 0;
    u32 depth = 0;  ///< enclosing regions; on an accelerator stream the first free row

    static void each_field(auto& self, auto& visit) {
        visit(self.region, self.symbol, self.call, self.begin, self.depth);
    }
};

/// Tracks the open regions of a lane, call by call. On an accelerator stream, regions overlap: each
/// has a row of its own, and the end of a call closes the first open call of its region
/// (RegionStack). An explicit task runs within the regions of the implicit one: suspension ends its
/// regions, resumption begins them again.
class LaneScopes {
  public:
    explicit LaneScopes(bool on_stream) : open_(on_stream) {}

    [[nodiscard]] std::span<const LaneScope> open() const { return open_.with_suspended(); }
    [[nodiscard]] bool overlaps() const { return open_.overlaps(); }
    [[nodiscard]] bool in_task() const { return open_.in_task(); }
    /// Number of outer regions that the current explicit task runs in.
    [[nodiscard]] std::size_t suspended() const {
        return in_task() ? open().size() - open_.open().size() : 0;
    }
    /// Depth of a region that begins now.
    [[nodiscard]] u32 depth() const;
    void enter(const LaneScope& scope, bool is_mpi) { open_.enter(scope, is_mpi); }
    void begin_task() { open_.begin_task(); }
    /// Applies the next call. Calls `ended(scope, end)` for every region that it ends, outermost
    /// first, including a call that is a region itself.
    template <class Ended>
    void take(u64 call, const LaneItem& item, const SymbolUse& use, const Ended& ended) {
        for (std::size_t i = 0; i < use.steps.size(); ++i) {
            take(call, {item.symbol, item.begin + item.offsets[i]}, use.steps[i], ended);
        }
        if (!use.steps.empty()) return;
        if (use.task != SymbolUse::Task::same) return change_task(call, item, use, ended);
        if (use.kind == CallKind::record) return;
        const LaneScope scope{use.region, item.symbol, call, item.begin, depth()};
        if (use.kind == CallKind::enter) return open_.enter(scope, use.is_mpi);
        if (use.kind == CallKind::leave) return leave(use.region, item.begin, ended);
        if (!open_.overlaps()) return ended(scope, item.end());
        open_.enter(scope, use.is_mpi);
        leave(use.region, item.end(), ended);
    }

  private:
    template <class Ended>
    void leave(u64 region, u64 end, const Ended& ended) {
        for (const LaneScope& scope : open_.leave(region)) ended(scope, end);
    }
    template <class Ended>
    void change_task(u64 call, const LaneItem& item, const SymbolUse& use, const Ended& ended) {
        if (open_.in_task()) {
            for (const LaneScope& scope : std::as_const(open_).open()) ended(scope, item.begin);
            open_.end_task();
        }
        if (use.task == SymbolUse::Task::other) open_.begin_task();
        for (const ResumedRegion& it : use.resumed) {
            open_.enter({it.region, it.symbol, call, item.begin, depth()}, it.is_mpi);
        }
    }

    RegionStack<LaneScope> open_;
};

struct LaneSymbol {
    u32 id = 0;  ///< in the structure
    SymbolUse use;
    u64 begin = 0;  ///< of its first call
    u64 end = 0;    ///< of the call that ends last

    static void each_field(auto& self, auto& visit) {
        visit(self.id, self.use, self.begin, self.end);
    }
};

/// The timeline of one location with random access: calls in compressed blocks, plus the time by
/// use for each small chunk of calls. Building it unwinds the location. Memory: about 3 to 7 bytes
/// per call, less for repeated times.
class Lane {
  public:
    static constexpr std::size_t kBlockItems = 1024;
    static constexpr std::size_t kChunkItems = 64;  ///< calls per chunk

    /// Time by use of `kChunkItems` calls and the time up to the next one.
    struct Chunk {
        u64 begin = 0;
        std::array<u8, kTimeUses> shares{};  ///< in 1/255

        static void each_field(auto& self, auto& visit) { visit(self.begin, self.shares); }
    };
    struct Block {
        u64 begin = 0;
        u64 first_call = 0;
        u32 items = 0;
        u32 raw_bytes = 0;
        std::string bytes;
        UseTracker uses;       ///< before the first item, without regions
        u32 open = kNone;      ///< innermost stored region before the first item
        u32 suspended = 0;     ///< outer regions that belong to the implicit task
        bool in_task = false;  ///< an explicit task runs

        static void each_field(auto& self, auto& visit) {
            visit(self.begin, self.first_call, self.items, self.raw_bytes, self.bytes, self.uses,
                  self.open, self.suspended, self.in_task);
        }
    };
    /// A region open at the begin of a block; the regions of all blocks form a tree.
    struct KeptScope {
        LaneScope scope;
        u32 outer = kNone;

        static void each_field(auto& self, auto& visit) { visit(self.scope, self.outer); }
    };

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] bool on_stream() const { return on_stream_; }
    [[nodiscard]] u64 calls() const { return calls_; }
    /// Begin of the first and end of the last call; equal without calls.
    [[nodiscard]] u64 begin() const { return begin_; }
    [[nodiscard]] u64 end() const { return end_; }
    [[nodiscard]] const std::vector<LaneSymbol>& symbols() const { return symbols_; }
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
    /// End of a chunk or block.
    [[nodiscard]] u64 chunk_end(std::size_t chunk) const {
        return chunk + 1 < chunks_.size() ? chunks_[chunk + 1].begin : end_;
    }
    [[nodiscard]] u64 block_end(std::size_t block) const {
        return block + 1 < blocks_.size() ? blocks_[block + 1].begin : end_;
    }
    /// The last block that begins at or before `tick`, else the first one. Precondition: not empty.
    [[nodiscard]] std::size_t block_at(u64 tick) const;
    /// The block of a call. Precondition: call < calls().
    [[nodiscard]] std::size_t block_of(u64 call) const {
        return static_cast<std::size_t>(call / kBlockItems);
    }
    [[nodiscard]] std::size_t chunk_at(u64 tick) const;

    /// Regions open before the first item of a block. Cost: linear in them.
    [[nodiscard]] LaneScopes open(std::size_t block) const;
    /// Use tracker at the begin of a block. Cost: linear in the open regions.
    [[nodiscard]] UseTracker uses(std::size_t block) const;

    /// The items of a block. Cost: linear in them.
    [[nodiscard]] std::vector<LaneItem> items(std::size_t block) const;
    /// The item of a call. Precondition: call < calls().
    [[nodiscard]] LaneItem item(u64 call) const;

    /// Approximate memory in bytes.
    [[nodiscard]] std::size_t memory() const;

    static void each_field(auto& self, auto& visit) {
        visit(self.location_, self.on_stream_, self.calls_, self.begin_, self.end_, self.symbols_,
              self.scopes_, self.blocks_, self.chunks_);
    }

  private:
    friend class LaneBuilder;

    /// Enclosing regions, outermost first.
    [[nodiscard]] std::vector<LaneScope> scopes_to(u32 innermost) const;
    /// Calls `enter(scope)` for the regions open at the begin of a block, and `begin_task()`
    /// between implicit and explicit task.
    template <class Enter, class BeginTask>
    void resume(const Block& block, const Enter& enter, const BeginTask& begin_task) const;
    [[nodiscard]] ResumedRegion resumed(const LaneScope& scope) const;

    u32 location_ = 0;
    bool on_stream_ = false;
    u64 calls_ = 0;
    u64 begin_ = 0;
    u64 end_ = 0;
    std::vector<LaneSymbol> symbols_;
    std::vector<KeptScope> scopes_;
    std::vector<Block> blocks_;
    std::vector<Chunk> chunks_;
};

/// Reads items of a lane, caching the last block. The lane must outlive this object.
class LaneItemReader {
  public:
    explicit LaneItemReader(const Lane& lane) : lane_(lane) {}

    /// Valid until the next call. Precondition: call < calls() of the lane.
    const LaneItem& item(u64 call);

  private:
    const Lane& lane_;
    std::size_t block_ = ~std::size_t{0};  ///< of items_
    std::vector<LaneItem> items_;
};

/// Builds the lane of a location; without calls it has no blocks. Throws Error(corrupt).
std::shared_ptr<const Lane> make_lane(TraceFile& file, const RegionUses& regions,
                                      const CommonClock& clock, u32 location);

/// Returns end() of a lane without building it; 0 if empty. Unwinds it. Throws Error(corrupt).
u64 lane_end(TraceFile& file, const RegionUses& regions, const CommonClock& clock, u32 location);

}  // namespace tracefold
