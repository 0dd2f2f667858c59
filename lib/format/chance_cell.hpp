// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

/// A chance of a 1 in 1/2^22 (upper bits) and how many bits it was learnt from (lower 10).
class ChanceCell {
  public:
    static constexpr u32 kMaxLimit = 255;

    ChanceCell() = default;
    explicit ChanceCell(u32 chance) : packed_(chance << kCountBits) {}

    [[nodiscard]] int chance() const { return static_cast<int>(packed_ >> 20U); }  ///< 12 bits
    [[nodiscard]] u32 count() const { return packed_ & kCountMask; }

    /// The n-th bit moves the chance by 1 / (n + 1.6) of the way, n being at most `limit`.
    /// Precondition: the limit is at most kMaxLimit, and the same each time.
    void learn(bool bit, u32 limit) {
        const u32 known = count();
        i64 chance = packed_ >> kCountBits;
        chance += ((bit ? kWhole : 0) - chance) * kRates[known] >> 16;
        chance = std::clamp(chance, kLeast, kWhole - kLeast);
        packed_ = static_cast<u32>(chance) << kCountBits | std::min(known + 1, limit);
    }

  private:
    static constexpr u32 kCountBits = 10;
    static constexpr u32 kCountMask = (1U << kCountBits) - 1;
    static constexpr i64 kWhole = i64{1} << 22;
    static constexpr i64 kLeast = 64;
    static constexpr std::array<i64, kMaxLimit + 1> kRates = [] {
        std::array<i64, kMaxLimit + 1> rates{};
        for (i64 known = 0; auto& rate : rates) rate = 655360 / (10 * known++ + 16);
        return rates;
    }();

    u32 packed_ = u32{1} << 31U;
};

}  // namespace tracefold
