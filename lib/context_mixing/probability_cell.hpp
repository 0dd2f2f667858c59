// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

/// How far the n-th bit moves a probability, in 1/65536 of the way: 1 / (n + 1.6).
inline constexpr std::array<u16, 256> kLearningRates = [] {
    std::array<u16, 256> rates{};
    for (u32 known = 0; auto& rate : rates) rate = static_cast<u16>(655360 / (10 * known++ + 16));
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

    /// The cell as a number, and back.
    [[nodiscard]] u32 packed() const { return packed_; }
    static BasicProbabilityCell of_packed(u32 packed) {
        BasicProbabilityCell cell;
        cell.packed_ = packed;
        return cell;
    }

    [[nodiscard]] int probability() const { return static_cast<int>(packed_ >> 20U); }  ///< 12 bits
    [[nodiscard]] u32 count() const { return packed_ & kCountMask; }
    [[nodiscard]] u32 tag() const { return (packed_ & kBelowMask) >> kCountBits; }
    /// The same with another tag.
    [[nodiscard]] BasicProbabilityCell with_tag(u32 tag) const {
        BasicProbabilityCell cell(packed_ >> kBelowProbability, tag);
        cell.packed_ |= count();
        return cell;
    }

    /// Begins anew, at 1/2, if it has another tag. Does not branch.
    void claim(u32 tag) {
        const u32 fresh = kEven | tag << kCountBits;
        packed_ = this->tag() == tag ? packed_ : fresh;
    }

    /// Precondition: the limit of the count is the same each time, below 256 and 2^kCountBits.
    void learn(bool bit, u32 limit) { learn(bit, limit, kLearningRates[count()]); }
    /// The same, where the rate of its count was looked up before.
    void learn(bool bit, u32 limit, u32 rate) {
        const auto before = static_cast<int>(packed_ >> kBelowProbability);
        const int way = (bit ? kWhole : 0) - before;
        // way * rate >> 16, in 32 bits, of which vectors multiply more at a time
        const int step = (way >> 16) * static_cast<int>(rate) +
                         static_cast<int>((static_cast<u32>(way) & 0xFFFFU) * rate >> 16U);
        const int probability = std::max(kLeast, std::min(kWhole - kLeast, before + step));
        const u32 learnt = (packed_ & kBelowMask) + (count() < limit ? 1U : 0U);
        packed_ = static_cast<u32>(probability) << kBelowProbability | learnt;
    }

  private:
    static constexpr u32 kBelowProbability = 10;
    static constexpr u32 kBelowMask = (1U << kBelowProbability) - 1;
    static constexpr u32 kCountMask = (1U << kCountBits) - 1;
    static constexpr int kWhole = int{1} << 22;
    static constexpr int kLeast = 64;

    static constexpr u32 kEven = u32{1} << 31U;

    u32 packed_ = kEven;
};

using ProbabilityCell = BasicProbabilityCell<0>;

}  // namespace tracefold
