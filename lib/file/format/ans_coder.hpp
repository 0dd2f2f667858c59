// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tracefold {

using i16 = std::int16_t;
using i32 = std::int32_t;

/// Numbers below 2^15, processed in parallel; Size is 8 or 16.
template <std::size_t Size>
using Lanes = std::array<u16, Size>;

/// from + floor((to - from) * weight / 2^16). In 32 bits throughout: GCC spills 16 bits and reloads
/// 32, which defeats store forwarding.
inline u32 blend(u32 from, u32 to, i32 weight) {
    const i32 way = static_cast<i32>(to) - static_cast<i32>(from);
    return from + static_cast<u32>((way * weight) >> 16);
}

/// Portable blend() and last_at_most(). x86-64 has intrinsics below, as compilers do not generate
/// them reliably; tests compare both.
namespace portable {

/// blend() in every lane.
template <std::size_t Size>
Lanes<Size> blend(const Lanes<Size>& from, const Lanes<Size>& to, i16 weight) {
    Lanes<Size> result;
    for (std::size_t i = 0; i < Size; ++i) {
        result[i] = static_cast<u16>(tracefold::blend(u32{from[i]}, u32{to[i]}, i32{weight}));
    }
    return result;
}

/// Returns the last lane that is at most `bound`. The lanes are ascending and the first is 0.
template <std::size_t Size>
std::size_t last_at_most(const Lanes<Size>& lanes, u16 bound) {
    std::size_t count = 0;
    for (const u16 lane : lanes) count += lane <= bound ? 1 : 0;
    return count - 1;
}

}  // namespace portable

#if defined(__SSE2__)

namespace sse2 {

inline __m128i load(const u16* lanes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes));
}

template <std::size_t Size>
Lanes<Size> blend(const Lanes<Size>& from, const Lanes<Size>& to, i16 weight) {
    Lanes<Size> result;
    const __m128i factor = _mm_set1_epi16(weight);
    for (std::size_t i = 0; i < Size; i += 8) {
        const __m128i start = load(&from[i]);
        const __m128i way = _mm_sub_epi16(load(&to[i]), start);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(&result[i]),
                         _mm_add_epi16(start, _mm_mulhi_epi16(way, factor)));
    }
    return result;
}

template <std::size_t Size>
std::size_t last_at_most(const Lanes<Size>& lanes, u16 bound) {
    static_assert(Size == 8 || Size == 16);
    const __m128i limit = _mm_set1_epi16(static_cast<i16>(bound));
    const __m128i low = _mm_cmpgt_epi16(load(lanes.data()), limit);
    const __m128i high = _mm_cmpgt_epi16(load(&lanes[Size - 8]), limit);
    // One bit per lane; the bit after the last lane is a sentinel.
    const auto above = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    return static_cast<std::size_t>(std::countr_zero(above | (1U << Size))) - 1;
}

}  // namespace sse2

using sse2::blend;
using sse2::last_at_most;

#else

using portable::blend;
using portable::last_at_most;

#endif

/// The sum of the symbol frequencies.
inline constexpr u32 kWhole = u32{1} << 15U;

/// The frequency of a symbol, from the cumulative frequencies. The first of them is 0, which is
/// also the end of the last symbol, modulo kWhole.
template <std::size_t Size>
u32 frequency(const Lanes<Size>& starts, std::size_t symbol) {
    return (u32{starts[(symbol + 1) % Size]} - starts[symbol]) % kWhole;
}

/// Adaptive frequencies of Size symbols; the weight of a symbol decays with its age: fast at first,
/// by 1/63 per symbol later. Frequencies never drop below kLeastFrequency.
template <std::size_t Size>
class AdaptiveDistribution {
  public:
    AdaptiveDistribution() {
        for (std::size_t i = 0; i < Size; ++i) starts_[i] = static_cast<u16>(kWhole / Size * i);
    }

    [[nodiscard]] const Lanes<Size>& starts() const { return starts_; }
    /// Confidence from 0 to 5, growing with the count.
    [[nodiscard]] std::size_t confidence() const { return kConfidence[count_]; }

    void update(std::size_t symbol) {
        starts_ = blend(starts_, kTargets[symbol], kRates[count_]);
        count_ = static_cast<u16>(count_ + (count_ < kMaxCount ? 1 : 0));
    }

    /// Keeps the frequencies, but resets the learning rate.
    void forget_count() { count_ = 0; }

  private:
    static constexpr u16 kMaxCount = 60;
    static constexpr u32 kLeastFrequency = 8;

    /// Targets of the starts for each symbol, which leave the others their least frequencies.
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

/// Codes symbols with a blend of a general and a special distribution, with learnt weights.
template <std::size_t Size>
class DistributionMixer {
  public:
    DistributionMixer() { weights_.fill(kFirstWeight); }

    /// Codes `symbol` (a decoder returns it, see TickModel) and trains both distributions.
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

/// Range variant of asymmetric numeral systems (rANS: Duda, Asymmetric numeral systems,
/// arXiv:1311.2540), with interleaved states as in Giesen, Interleaved entropy coders
/// (arXiv:1402.3392). A symbol with frequency f of kWhole costs log2(kWhole / f) bits. A state is a
/// number in [kLeastState, 2^32); excess is output in 16-bit words. Two states alternate, which
/// lets a processor overlap two symbols. The encoder works backwards and stores all symbols until
/// take().
class AnsEncoder {
  public:
    static constexpr u32 kLeastState = u32{1} << 16U;

    /// A symbol as stored by the encoder.
    static u32 packed(u32 start, u32 frequency) { return start << 16U | frequency; }

    /// Reserves space for more symbols, which the caller sets as packed(); keep() sets their end.
    u32* room(std::size_t symbols) { return symbols_.extend(symbols); }
    void keep(const u32* end) { symbols_.shrink(static_cast<std::size_t>(end - symbols_.data())); }

    /// Returns the bytes of all symbols since the last call: the states, high words first, then the
    /// words in decoding order, all little endian.
    std::string take();

  private:
    AppendBuffer<u32> symbols_;
    AppendBuffer<u16> words_;
};

/// Reads what AnsEncoder wrote. Past the end it yields zeros.
class AnsDecoder {
  public:
    AnsDecoder() = default;
    explicit AnsDecoder(std::string_view bytes) : bytes_(bytes) {
        for (u32* const state : {&state_, &other_}) {
            *state = next_word() << 16U;
            *state |= next_word();
        }
    }

    /// Decodes the next symbol, given the cumulative frequencies.
    template <std::size_t Size>
    std::size_t get(const Lanes<Size>& starts) {
        const u32 place = state_ % kWhole;
        const std::size_t symbol = last_at_most(starts, static_cast<u16>(place));
        state_ = frequency(starts, symbol) * (state_ / kWhole) + place - starts[symbol];
        // Branch-free: a branch would often be mispredicted.
        const bool takes = state_ < AnsEncoder::kLeastState;
        const u32 longer = state_ << 16U | word();
        state_ = takes ? longer : state_;
        position_ += takes ? 2 : 0;
        std::swap(state_, other_);
        return symbol;
    }

    /// True if the bytes ended exactly with the last symbol.
    [[nodiscard]] bool finished() const {
        return state_ == AnsEncoder::kLeastState && other_ == AnsEncoder::kLeastState &&
               position_ == bytes_.size();
    }

  private:
    [[nodiscard]] u32 word() const {
        if (position_ + 2 > bytes_.size()) return 0;
        const char* const two = bytes_.data() + position_;
        return static_cast<u8>(two[0]) | u32{static_cast<u8>(two[1])} << 8U;
    }
    u32 next_word() {
        const u32 next = word();
        position_ += 2;
        return next;
    }

    // The states are not adjacent: GCC would swap them as a vector, through memory.
    u32 state_ = AnsEncoder::kLeastState;  ///< of the next symbol
    std::string_view bytes_;
    std::size_t position_ = 0;
    u32 other_ = AnsEncoder::kLeastState;
};

}  // namespace tracefold
