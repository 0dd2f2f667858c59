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

/// One call of a lane, or the beginning or end of a region that holds others.
struct LaneItem {
    u32 symbol = 0;    ///< place in Lane::symbols()
    u64 begin = 0;     ///< ticks since the first event, on the common clock
    i64 duration = 0;  ///< ticks by the location's own clock; of a call, or one with steps
    std::vector<u64> offsets = {};  ///< ticks from begin to each step (SymbolUse::steps)

    [[nodiscard]] u64 end() const {
        return duration > 0 ? begin + static_cast<u64>(duration) : begin;
    }
};

/// A region that is open, and the call that entered it; of an explicit task that was suspended
/// since, the one with which it goes on.
struct LaneScope {
    u64 region = 0;
    u32 symbol = 0;  ///< place in Lane::symbols()
    u64 call = 0;
    u64 begin = 0;
    u32 depth = 0;  ///< regions around it; on a stream of an accelerator the first free row

    static void each_field(auto& self, auto& visit) {
        visit(self.region, self.symbol, self.call, self.begin, self.depth);
    }
};

/// The regions that a lane is in, call by call. On a stream of an accelerator regions overlap: each
/// has a row in which no other one is, and a call that ends while others of its region are open
/// ends the first of these (RegionStack). An explicit task runs within the regions of the implicit
/// one: where it is suspended, its regions end, and where it goes on, they begin again.
class LaneScopes {
  public:
    explicit LaneScopes(bool on_stream) : open_(on_stream) {}

    [[nodiscard]] std::span<const LaneScope> open() const { return open_.with_suspended(); }
    [[nodiscard]] bool overlaps() const { return open_.overlaps(); }
    [[nodiscard]] bool in_task() const { return open_.in_task(); }
    /// The first of the open ones, in which the explicit task at hand runs.
    [[nodiscard]] std::size_t suspended() const {
        return in_task() ? open().size() - open_.open().size() : 0;
    }
    /// Of a region that begins now.
    [[nodiscard]] u32 depth() const;
    void enter(const LaneScope& scope, bool is_mpi) { open_.enter(scope, is_mpi); }
    void begin_task() { open_.begin_task(); }
    /// Takes the next call: `ended(scope, end)` for every region that it ends, outermost first, a
    /// call that is a region by itself among them.
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

/// A symbol as a lane knows it.
struct LaneSymbol {
    u32 id = 0;  ///< in the structure
    SymbolUse use;
    u64 begin = 0;  ///< of its first call
    u64 end = 0;    ///< of the call that ends last

    static void each_field(auto& self, auto& visit) {
        visit(self.id, self.use, self.begin, self.end);
    }
};

/// When everything that one location does happens: its calls in blocks that are read one by one,
/// and for every few calls what the time goes into. Any moment is found without unwinding what
/// comes before it. Cost of making one: unwinds the location. Memory: some 3 to 7 bytes per call,
/// less where times repeat.
class Lane {
  public:
    static constexpr std::size_t kBlockItems = 1024;
    static constexpr std::size_t kChunkItems = 64;  ///< that share one summary

    /// What `kChunkItems` calls and the time before the next ones go into.
    struct Chunk {
        u64 begin = 0;
        std::array<u8, kTimeUses> shares{};  ///< of 255

        static void each_field(auto& self, auto& visit) { visit(self.begin, self.shares); }
    };
    struct Block {
        u64 begin = 0;
        u64 first_call = 0;
        u32 items = 0;
        u32 raw_bytes = 0;
        std::string bytes;
        UseTracker uses;   ///< before the first item, without its regions
        u32 open = kNone;  ///< innermost region before the first item, of those that the lane keeps
        u32 suspended = 0;     ///< outermost regions around it that are the implicit task's
        bool in_task = false;  ///< an explicit task runs

        static void each_field(auto& self, auto& visit) {
            visit(self.begin, self.first_call, self.items, self.raw_bytes, self.bytes, self.uses,
                  self.open, self.suspended, self.in_task);
        }
    };
    /// A region that is open where a block begins: those of all blocks are a tree.
    struct KeptScope {
        LaneScope scope;
        u32 outer = kNone;

        static void each_field(auto& self, auto& visit) { visit(self.scope, self.outer); }
    };

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] bool on_stream() const { return on_stream_; }
    [[nodiscard]] u64 calls() const { return calls_; }
    /// Of the first and the last call; equal if there are none.
    [[nodiscard]] u64 begin() const { return begin_; }
    [[nodiscard]] u64 end() const { return end_; }
    [[nodiscard]] const std::vector<LaneSymbol>& symbols() const { return symbols_; }
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
    /// Where a chunk, or a block, ends.
    [[nodiscard]] u64 chunk_end(std::size_t chunk) const {
        return chunk + 1 < chunks_.size() ? chunks_[chunk + 1].begin : end_;
    }
    [[nodiscard]] u64 block_end(std::size_t block) const {
        return block + 1 < blocks_.size() ? blocks_[block + 1].begin : end_;
    }
    /// The last block that begins at this tick or before; the first one if none does. Precondition:
    /// there are blocks.
    [[nodiscard]] std::size_t block_at(u64 tick) const;
    /// The block of a call. Precondition: call < calls().
    [[nodiscard]] std::size_t block_of(u64 call) const {
        return static_cast<std::size_t>(call / kBlockItems);
    }
    [[nodiscard]] std::size_t chunk_at(u64 tick) const;

    /// The regions that are open before the first item of a block. Cost: linear in them.
    [[nodiscard]] LaneScopes open(std::size_t block) const;
    /// What the location spends its time on, from there on. Cost: the same.
    [[nodiscard]] UseTracker uses(std::size_t block) const;

    /// The items of a block. Cost: linear in them.
    [[nodiscard]] std::vector<LaneItem> items(std::size_t block) const;
    /// Precondition: call < calls().
    [[nodiscard]] LaneItem item(u64 call) const;

    /// In bytes, about.
    [[nodiscard]] std::size_t memory() const;

    static void each_field(auto& self, auto& visit) {
        visit(self.location_, self.on_stream_, self.calls_, self.begin_, self.end_, self.symbols_,
              self.scopes_, self.blocks_, self.chunks_);
    }

  private:
    friend class LaneBuilder;

    /// Outermost first.
    [[nodiscard]] std::vector<LaneScope> scopes_to(u32 innermost) const;
    /// Calls `enter(scope)` for what is open where a block begins, and `begin_task()` between.
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

/// Gives calls of a lane one by one, and keeps the block of the last one: for those that are near
/// each other. The lane must outlive it.
class LaneItemReader {
  public:
    explicit LaneItemReader(const Lane& lane) : lane_(lane) {}

    /// Holds until the next one is asked for. Precondition: call < calls() of the lane.
    const LaneItem& item(u64 call);

  private:
    const Lane& lane_;
    std::size_t block_ = ~std::size_t{0};  ///< of items_
    std::vector<LaneItem> items_;
};

/// The lane of a location; without calls it has no blocks. Throws Error(corrupt).
std::shared_ptr<const Lane> make_lane(TraceFile& file, const RegionUses& regions,
                                      const CommonClock& clock, u32 location);

/// What end() of that lane is, without making it; 0 without calls. Cost: unwinds the location.
/// Throws Error(corrupt).
u64 lane_end(TraceFile& file, const RegionUses& regions, const CommonClock& clock, u32 location);

}  // namespace tracefold
