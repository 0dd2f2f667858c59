// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

/// How far the n-th bit moves a chance, in 1/65536 of the way: 1 / (n + 1.6).
inline constexpr std::array<i64, 256> kLearningRates = [] {
    std::array<i64, 256> rates{};
    for (i64 known = 0; auto& rate : rates) rate = 655360 / (10 * known++ + 16);
    return rates;
}();

/// From the upper bits on: a chance of a 1 in 1/2^22, a mark of whoever uses the cell, and how many
/// bits the chance was learnt from.
template <u32 kMarkBits>
class BasicChanceCell {
  public:
    static constexpr u32 kCountBits = 10 - kMarkBits;

    BasicChanceCell() = default;
    /// The chance in 1/2^22.
    explicit BasicChanceCell(u32 chance, u32 mark = 0)
        : packed_(chance << kBelowChance | mark << kCountBits) {}

    [[nodiscard]] int chance() const { return static_cast<int>(packed_ >> 20U); }  ///< 12 bits
    [[nodiscard]] u32 count() const { return packed_ & kCountMask; }
    [[nodiscard]] u32 mark() const { return (packed_ & kBelowMask) >> kCountBits; }
    /// The same with another mark.
    [[nodiscard]] BasicChanceCell marked(u32 mark) const {
        BasicChanceCell cell(packed_ >> kBelowChance, mark);
        cell.packed_ |= count();
        return cell;
    }

    /// Precondition: the limit of the count is the same each time, below 256 and 2^kCountBits.
    void learn(bool bit, u32 limit) {
        const u32 known = count();
        i64 chance = packed_ >> kBelowChance;
        chance += ((bit ? kWhole : 0) - chance) * kLearningRates[known] >> 16;
        chance = std::clamp(chance, kLeast, kWhole - kLeast);
        const u32 learnt = (packed_ & kBelowMask) + (known < limit ? 1 : 0);
        packed_ = static_cast<u32>(chance) << kBelowChance | learnt;
    }

  private:
    static constexpr u32 kBelowChance = 10;
    static constexpr u32 kBelowMask = (1U << kBelowChance) - 1;
    static constexpr u32 kCountMask = (1U << kCountBits) - 1;
    static constexpr i64 kWhole = i64{1} << 22;
    static constexpr i64 kLeast = 64;

    u32 packed_ = u32{1} << 31U;
};

using ChanceCell = BasicChanceCell<0>;

}  // namespace tracefold
