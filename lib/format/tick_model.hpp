// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/adaptive_distribution.hpp"

#include <bit>
#include <vector>

namespace tracefold {

/// What is known about the tick counts of a location (docs/format.md, section 7.1). A count is
/// its length in bits, the three bits after its first one, and the remaining ones, which are noise.
/// Length and three bits are each predicted from the record's group alone, and from the group and
/// what came just before. Memory: about 2 KiB per group and 34 or 18 bytes per context, of which
/// there are at most 2 * kMaxContexts.
///
/// The coder gives or takes the parts: `std::size_t symbol(const Lanes<Size>& starts, std::size_t
/// symbol)` and `u64 bits(u64 bits, int count)`. An encoder returns what it is given, a decoder
/// what it reads.
class TickModel {
  public:
    static constexpr std::size_t kMaxGroups = std::size_t{1} << 14U;
    static constexpr std::size_t kMaxContexts = 65535;
    static constexpr int kMaxLength = 64;

    /// Codes the next count; returns it. A decoder that reads a length above kMaxLength returns 0
    /// and says so by damaged().
    template <class Coder>
    u64 code(Coder& coder, u32 group, u64 ticks);

    [[nodiscard]] bool damaged() const { return damaged_; }

  private:
    static constexpr std::size_t kLengths = 16;  ///< the last one stands for itself and all above
    static constexpr std::size_t kHeads = 8;
    static constexpr std::size_t kScales = 32;  ///< of the count before, see scale_of()
    static constexpr u16 kNone = 0xFFFF;

    using LengthDistribution = AdaptiveDistribution<kLengths>;
    using HeadDistribution = AdaptiveDistribution<kHeads>;

    struct Group {
        Group() {
            after_lengths.fill(kNone);
            after_scale.fill(kNone);
        }
        LengthDistribution length;
        std::array<HeadDistribution, kLengths> head;  ///< by length
        /// Numbers of the contexts by the last two lengths, and by length and the last scale.
        std::array<u16, kLengths * kLengths> after_lengths;
        std::array<u16, kLengths * kScales> after_scale;
    };

    template <std::size_t Size>
    static AdaptiveDistribution<Size>& context(std::vector<AdaptiveDistribution<Size>>& all,
                                               u16& number,
                                               const AdaptiveDistribution<Size>& parent) {
        if (number == kNone) {
            if (all.size() < kMaxContexts) {
                all.push_back(parent);
                all.back().forget_count();
            }
            number = static_cast<u16>(all.size() - 1);
        }
        return all[number];
    }

    /// Twice the length, and the bit after the first one.
    static std::size_t scale_of(u64 ticks, int length) {
        if (length < 2) return static_cast<std::size_t>(length);
        const auto scale = static_cast<std::size_t>(2 * length) | (ticks >> (length - 2) & 1U);
        return scale < kScales ? scale : kScales - 1;
    }

    template <class Coder>
    int code_long_length(Coder& coder, int length);
    template <class Coder>
    u64 code_mantissa(Coder& coder, Group& group, std::size_t length_class, int length, u64 ticks);

    std::vector<Group> groups_;
    std::vector<LengthDistribution> length_contexts_;
    std::vector<HeadDistribution> head_contexts_;
    LengthDistribution long_lengths_;
    DistributionMixer<kLengths> length_mixer_;
    DistributionMixer<kHeads> head_mixer_;
    std::size_t last_length_ = 0;         ///< class of the count before
    std::size_t second_last_length_ = 0;  ///< and of the one before that
    std::size_t last_scale_ = 0;
    bool damaged_ = false;
};

template <class Coder>
u64 TickModel::code(Coder& coder, u32 group_number, u64 ticks) {
    const std::size_t index = group_number < kMaxGroups ? group_number : kMaxGroups - 1;
    if (index >= groups_.size()) groups_.resize(index + 1);
    Group& group = groups_[index];
    LengthDistribution& special =
        context(length_contexts_,
                group.after_lengths[kLengths * second_last_length_ + last_length_], group.length);
    int length = static_cast<int>(std::bit_width(ticks));
    const std::size_t length_class = length_mixer_.code(
        coder, group.length, special, std::min(static_cast<std::size_t>(length), kLengths - 1));
    length = length_class < kLengths - 1 ? static_cast<int>(length_class)
                                         : code_long_length(coder, length);
    ticks = length < 2 ? static_cast<u64>(length)
                       : code_mantissa(coder, group, length_class, length, ticks);
    second_last_length_ = last_length_;
    last_length_ = length_class;
    last_scale_ = scale_of(ticks, length);
    return ticks;
}

/// Lengths from 15 on: up to 29 by one more symbol, others by six more bits.
template <class Coder>
int TickModel::code_long_length(Coder& coder, int length) {
    constexpr int kFirst = static_cast<int>(kLengths) - 1;
    const std::size_t symbol = coder.symbol(
        long_lengths_.starts(), static_cast<std::size_t>(std::min(length - kFirst, kFirst)));
    long_lengths_.update(symbol);
    if (symbol < kLengths - 1) return kFirst + static_cast<int>(symbol);
    length = 2 * kFirst + static_cast<int>(coder.bits(static_cast<u64>(length - 2 * kFirst), 6));
    if (length <= kMaxLength) return length;
    damaged_ = true;
    return 0;
}

/// What follows the first bit of a number of at least two bits.
template <class Coder>
u64 TickModel::code_mantissa(Coder& coder, Group& group, std::size_t length_class, int length,
                             u64 ticks) {
    const int low_bits = std::max(0, length - 4);
    const int head_bits = length - 1 - low_bits;
    HeadDistribution& general = group.head[length_class];
    HeadDistribution& special =
        context(head_contexts_, group.after_scale[kScales * length_class + last_scale_], general);
    const std::size_t head =
        head_mixer_.code(coder, general, special, ticks >> low_bits & ((1U << head_bits) - 1));
    const u64 high = (u64{1} << head_bits | head) << low_bits;
    if (low_bits == 0) return high;
    return high | coder.bits(ticks & ((u64{1} << low_bits) - 1), low_bits);
}

}  // namespace tracefold
