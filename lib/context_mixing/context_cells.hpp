// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/model_state.hpp"
#include "context_mixing/probability_cell.hpp"

#include <cstddef>
#include <vector>

namespace tracefold::inline context_mixing {

/// Probabilities by context and hash. A cell carries a tag of whose it is: for another hash it
/// begins anew, so that the probabilities of two are rarely mixed up (docs/format.md, "Context
/// mixing").
class ContextCells {
  public:
    static constexpr u32 kTagBits = 5;
    static constexpr u32 kLimit = 30;  ///< of a cell's count
    using Cell = BasicProbabilityCell<kTagBits>;

    /// 2^bits cells for each context. Precondition: at most kMaxBits.
    ContextCells(u32 contexts, u32 bits) : bits_(bits), cells_(std::size_t{contexts} << bits) {}
    static constexpr u32 kMaxBits = 18;

    Cell& at(u32 context, u32 hash) {
        const u32 key = hash >> (32 - kKeyBits);
        Cell& cell = cells_[place_of(context, key)];
        if (cell.tag() != tag_of(key)) cell = Cell(kEven, tag_of(key));
        return cell;
    }

    /// Adds the cells that learnt something. Precondition: 2^kMaxBits cells.
    void save(ModelStateWriter& state) const;
    /// Takes saved cells; where two meet, the one that learnt from more bits, or else the first.
    void load(ModelStateReader& state);

  private:
    static constexpr u32 kKeyBits = kMaxBits + kTagBits;
    static constexpr u32 kEven = 1U << 21U;

    /// The upper bits of a key say where, the next ones are the tag.
    [[nodiscard]] std::size_t place_of(u32 context, u32 key) const {
        return (std::size_t{context} << bits_) + (key >> (kKeyBits - bits_));
    }
    [[nodiscard]] u32 tag_of(u32 key) const {
        return key >> (kMaxBits - bits_) & ((1U << kTagBits) - 1);
    }

    u32 bits_;
    std::vector<Cell> cells_;
};

}  // namespace tracefold::inline context_mixing
