// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/model_state.hpp"
#include "context_mixing/probability_cell.hpp"
#include "context_mixing/store_together.hpp"
#include "core/huge_pages.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace tracefold {

/// Probabilities by context and hash. A cell carries a tag of whose it is: for another hash it
/// begins anew, so that the probabilities of two are rarely mixed up (docs/format.md, "Context
/// mixing").
class ContextCells {
  public:
    static constexpr u32 kTagBits = 5;
    static constexpr u32 kLimit = 30;  ///< of a cell's count
    using Cell = BasicProbabilityCell<kTagBits>;

    static constexpr u32 kContexts = 10;
    static constexpr u32 kMaxBits = 18;

    /// 2^bits cells for each context. Precondition: at most kMaxBits.
    explicit ContextCells(u32 bits) : bits_(bits), cells_(std::size_t{kContexts} << bits) {}

    /// One of each context, so many that vectors have no rest; those past kContexts mean nothing.
    static constexpr u32 kLanes = 12;
    template <class Value>
    using Lanes = std::array<Value, kLanes>;

    /// Where cells are, and whose they have to be.
    struct Places {
        Lanes<u32> places{};
        Lanes<u32> tags{};
    };

    /// Begins to get the cells of these hashes into the cache.
    [[nodiscard]] Places find(const Lanes<u32>& hashes) const {
        Places found;
        for (u32 i = 0; i < kLanes; ++i) {
            const u32 key = hashes[i] >> (32 - kKeyBits);
            found.places[i] = place_of(i, key);
            found.tags[i] = tag_of(key);
        }
        for (u32 i = 0; i < kContexts; ++i) __builtin_prefetch(&cells_[found.places[i]], 1);
        return found;
    }
    [[nodiscard]] Lanes<Cell> read(const Places& found) const {
        Lanes<u32> packed;
        const auto at = [&](u32 i) { return cells_[found.places[i]].packed(); };
        static_assert(kContexts == 10 && kLanes == 12);
        store_together(&packed[0], at(0), at(1), at(2), at(3));
        store_together(&packed[4], at(4), at(5), at(6), at(7));
        store_together(&packed[8], at(8), at(9), 0U, 0U);
        Lanes<Cell> cells;
        for (u32 i = 0; i < kLanes; ++i) {
            cells[i] = Cell::of_packed(packed[i]);
            cells[i].claim(found.tags[i]);
        }
        return cells;
    }
    void write(const Places& found, const Lanes<Cell>& cells) {
        for (u32 i = 0; i < kContexts; ++i) cells_[found.places[i]] = cells[i];
    }
    /// What learn() does with each of the cells.
    static void learn(Lanes<Cell>& cells, bool bit) {
        Lanes<u32> rates;
        for (u32 i = 0; i < kLanes; ++i) rates[i] = kLearningRates[cells[i].count()];
        for (u32 i = 0; i < kLanes; ++i) cells[i].learn(bit, kLimit, rates[i]);
    }

    /// Adds the cells that learnt something. Precondition: 2^kMaxBits cells.
    void save(ModelStateWriter& state) const;
    /// Takes saved cells; where two meet, the one that learnt from more bits, or else the first.
    void load(ModelStateReader& state);

  private:
    static constexpr u32 kKeyBits = kMaxBits + kTagBits;

    /// The upper bits of a key say where, the next ones are the tag.
    [[nodiscard]] u32 place_of(u32 context, u32 key) const {
        return (context << bits_) + (key >> (kKeyBits - bits_));
    }
    [[nodiscard]] u32 tag_of(u32 key) const {
        return key >> (kMaxBits - bits_) & ((1U << kTagBits) - 1);
    }

    u32 bits_;
    std::vector<Cell, HugePageAllocator<Cell>> cells_;
};

}  // namespace tracefold
