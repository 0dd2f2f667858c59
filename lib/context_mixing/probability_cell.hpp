// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <algorithm>
#include <array>

namespace tracefold::inline context_mixing {

/// How far the n-th bit moves a probability, in 1/65536 of the way: 1 / (n + 1.6).
inline constexpr std::array<i64, 256> kLearningRates = [] {
    std::array<i64, 256> rates{};
    for (i64 known = 0; auto& rate : rates) rate = 655360 / (10 * known++ + 16);
    return rates;
}();

/// An adaptive probability with a count, as in the StateMap of lpaq. From the upper bits on: the
/// probability of a 1 in 1/2^22, a tag that identifies the context using the cell, and how many
/// bits the probability was learnt from.
template <u32 kTagBits>
class BasicProbabilityCell {
  public:
    static constexpr u32 kCountBits = 10 - kTagBits;

    BasicProbabilityCell() = default;
    /// The probability in 1/2^22.
    explicit BasicProbabilityCell(u32 probability, u32 tag = 0)
        : packed_(probability << kBelowProbability | tag << kCountBits) {}

    [[nodiscard]] int probability() const { return static_cast<int>(packed_ >> 20U); }  ///< 12 bits
    [[nodiscard]] u32 count() const { return packed_ & kCountMask; }
    [[nodiscard]] u32 tag() const { return (packed_ & kBelowMask) >> kCountBits; }
    /// The same with another tag.
    [[nodiscard]] BasicProbabilityCell with_tag(u32 tag) const {
        BasicProbabilityCell cell(packed_ >> kBelowProbability, tag);
        cell.packed_ |= count();
        return cell;
    }

    /// Precondition: the limit of the count is the same each time, below 256 and 2^kCountBits.
    void learn(bool bit, u32 limit) {
        const u32 known = count();
        i64 probability = packed_ >> kBelowProbability;
        probability += ((bit ? kWhole : 0) - probability) * kLearningRates[known] >> 16;
        probability = std::clamp(probability, kLeast, kWhole - kLeast);
        const u32 learnt = (packed_ & kBelowMask) + (known < limit ? 1 : 0);
        packed_ = static_cast<u32>(probability) << kBelowProbability | learnt;
    }

  private:
    static constexpr u32 kBelowProbability = 10;
    static constexpr u32 kBelowMask = (1U << kBelowProbability) - 1;
    static constexpr u32 kCountMask = (1U << kCountBits) - 1;
    static constexpr i64 kWhole = i64{1} << 22;
    static constexpr i64 kLeast = 64;

    u32 packed_ = u32{1} << 31U;
};

using ProbabilityCell = BasicProbabilityCell<0>;

}  // namespace tracefold::inline context_mixing
