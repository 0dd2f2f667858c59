// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/lanes.hpp"

#include <algorithm>

namespace tracefold {

/// Frequencies of symbols add up to this.
inline constexpr u32 kWhole = u32{1} << 15U;

/// The frequency of a symbol, from the cumulative frequencies of all. The first one is
/// 0, which is also where the last one ends, modulo kWhole.
template <std::size_t Size>
u32 frequency(const Lanes<Size>& starts, std::size_t symbol) {
    return (u32{starts[(symbol + 1) % Size]} - starts[symbol]) % kWhole;
}

/// How often each of Size symbols came, with the weight of a symbol falling with its age: fast at
/// first, by 1/63 per symbol later on. No frequency ever gets smaller than kLeastFrequency.
template <std::size_t Size>
class AdaptiveDistribution {
  public:
    AdaptiveDistribution() {
        for (std::size_t i = 0; i < Size; ++i) starts_[i] = static_cast<u16>(kWhole / Size * i);
    }

    [[nodiscard]] const Lanes<Size>& starts() const { return starts_; }
    /// How much is known, 0 to 5.
    [[nodiscard]] std::size_t confidence() const { return kConfidence[count_]; }

    void update(std::size_t symbol) {
        starts_ = blend(starts_, kTargets[symbol], kRates[count_]);
        count_ = static_cast<u16>(count_ + (count_ < kMaxCount ? 1 : 0));
    }

    /// Keeps the frequencies, but learns as fast as in the beginning.
    void forget_count() { count_ = 0; }

  private:
    static constexpr u16 kMaxCount = 60;
    static constexpr u32 kLeastFrequency = 8;

    /// What the starts move to when a symbol comes: it gets all but the least frequencies of the
    /// others.
    static constexpr auto kTargets = [] {
        std::array<Lanes<Size>, Size> targets{};
        for (std::size_t symbol = 0; symbol < Size; ++symbol) {
            for (std::size_t i = 0; i < Size; ++i) {
                targets[symbol][i] = static_cast<u16>(
                    i <= symbol ? kLeastFrequency * i : kWhole - kLeastFrequency * (Size - i));
            }
        }
        return targets;
    }();
    static constexpr auto kRates = [] {
        std::array<i16, kMaxCount + 1> rates{};
        for (u32 count = 0; count <= kMaxCount; ++count) {
            rates[count] = static_cast<i16>(65536 / (count + 3));
        }
        return rates;
    }();
    static constexpr auto kConfidence = [] {
        std::array<u8, kMaxCount + 1> levels{};
        for (u8 count = 0; count <= kMaxCount; ++count) {
            for (const int bound : {1, 2, 5, 12, 30}) {
                levels[count] = static_cast<u8>(levels[count] + (count >= bound ? 1 : 0));
            }
        }
        return levels;
    }();

    Lanes<Size> starts_;
    u16 count_ = 0;
};

/// Codes symbols with a blend of two distributions, a general and a special one. The weight of the
/// general one is learned, for each pair of confidences by itself.
template <std::size_t Size>
class DistributionMixer {
  public:
    DistributionMixer() { weights_.fill(kFirstWeight); }

    /// Codes `symbol` (a decoder gives it, see TickModel) and teaches it to both distributions.
    template <class Coder>
    std::size_t code(Coder& coder, AdaptiveDistribution<Size>& general,
                     AdaptiveDistribution<Size>& special, std::size_t symbol) {
        i16& weight = weights_[6 * general.confidence() + special.confidence()];
        u32 mixed = 0;  // its frequency
        if constexpr (Coder::kKnowsSymbols) {
            const auto start = [&](std::size_t at) {
                return blend(u32{special.starts()[at]}, u32{general.starts()[at]}, i32{weight});
            };
            const u32 begin = start(symbol);
            mixed = (start((symbol + 1) % Size) - begin) % kWhole;
            coder.put(begin, mixed);
        } else {
            const Lanes<Size> starts = blend(special.starts(), general.starts(), weight);
            symbol = coder.symbol(starts, symbol);
            mixed = frequency(starts, symbol);
        }
        const auto gain = static_cast<i32>(frequency(general.starts(), symbol)) -
                          static_cast<i32>(frequency(special.starts(), symbol));
        const i32 step = gain * kLearningRate / static_cast<i32>(mixed);
        weight = static_cast<i16>(std::clamp(weight + step, kLeastWeight, kMostWeight));
        general.update(symbol);
        special.update(symbol);
        return symbol;
    }

  private:
    static constexpr i16 kFirstWeight = 24000;  ///< of 2^16
    static constexpr i32 kLeastWeight = 1024;
    static constexpr i32 kMostWeight = 32767;
    static constexpr i32 kLearningRate = 1024;

    std::array<i16, 36> weights_;
};

}  // namespace tracefold
