// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/adaptive_distribution.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace tracefold {

/// Asks for memory that is needed soon. Has no effect but on time.
inline void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    static_cast<void>(address);
#endif
}

/// What is known about the tick counts of a location (docs/format.md, section 7.1). A count is
/// its length in bits, the three bits after its first one, and the remaining ones, which are noise.
/// Length and three bits are each predicted from the record's group alone, and from the group and
/// what came just before. Memory: about 2 KiB per group and 34 or 18 bytes per context, of which
/// there are at most 2 * kMaxContexts.
///
/// The coder gives or takes the parts: `std::size_t symbol(const Lanes<Size>& starts, std::size_t
/// symbol)` and `u64 bits(u64 bits, int count)`. An encoder returns what it is given, a decoder
/// what it reads. kKnowsSymbols tells them apart: an encoder also has `put(start, frequency)`, as
/// no other symbols have to be looked at, and needs no memory fetched in advance, since it works on
/// one location at a time.
class TickModel {
  public:
    static constexpr std::size_t kMaxGroups = std::size_t{1} << 14U;
    static constexpr std::size_t kMaxContexts = 65535;
    static constexpr int kMaxLength = 64;
    /// What the parts of a count come to at most: two lengths and the three bits; six bits of a
    /// length and the remaining ones.
    static constexpr std::size_t kMostSymbols = 3;
    static constexpr std::size_t kMostBitBytes = (6 + kMaxLength + 7) / 8;

    /// Codes the next count; returns it. A decoder that reads a length above kMaxLength returns 0
    /// and says so by damaged().
    template <class Coder>
    u64 code(Coder& coder, u32 group, u64 ticks) {
        code(coder, {&group, 1}, &ticks);
        return ticks;
    }
    /// The same for many counts, which go out of `ticks` and into it.
    template <class Coder>
    void code(Coder& coder, std::span<const u32> groups, u64* ticks);

    [[nodiscard]] bool damaged() const { return damaged_; }

    /// Becomes as new, but for the memory that it has.
    void forget() {
        groups_.clear();
        length_contexts_.clear();
        head_contexts_.clear();
        long_lengths_ = {};
        length_mixer_ = {};
        head_mixer_ = {};
        recent_ = {};
        damaged_ = false;
    }

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
        /// Numbers of the contexts by the last two lengths, and by the last scale and the length.
        std::array<u16, kLengths * kLengths> after_lengths;
        std::array<u16, kScales * kLengths> after_scale;
    };
    /// What came just before.
    struct Recent {
        std::size_t length = 0;       ///< class of the count before
        std::size_t second_last = 0;  ///< and of the one before that
        std::size_t scale = 0;

        [[nodiscard]] std::size_t lengths() const { return kLengths * second_last + length; }
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

    static std::size_t place_of_group(u32 number) {
        return number < kMaxGroups ? number : kMaxGroups - 1;
    }
    /// The group of a record, which add_groups() has added.
    Group& group_of(u32 number) { return groups_[place_of_group(number)]; }
    void add_groups(u32 last) {
        if (place_of_group(last) >= groups_.size()) groups_.resize(place_of_group(last) + 1);
    }

    template <class Coder>
    u64 code_one(Coder& coder, Group& group, const Group& next, Recent& recent, u64 ticks);
    void fetch_lengths(const Group& next, const Recent& recent) const;
    template <class Coder>
    int code_long_length(Coder& coder, int length);
    template <class Coder>
    u64 code_mantissa(Coder& coder, Group& group, std::size_t place, int length, u64 ticks);

    std::vector<Group> groups_;
    std::vector<LengthDistribution> length_contexts_;
    std::vector<HeadDistribution> head_contexts_;
    LengthDistribution long_lengths_;
    DistributionMixer<kLengths> length_mixer_;
    DistributionMixer<kHeads> head_mixer_;
    Recent recent_;
    bool damaged_ = false;
};

template <class Coder>
void TickModel::code(Coder& coder, std::span<const u32> groups, u64* ticks) {
    if (groups.empty()) return;
    add_groups(*std::ranges::max_element(groups));
    // What is at hand stays in registers.
    Recent recent = recent_;
    Group* group = &group_of(groups.front());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Group& next = i + 1 < groups.size() ? group_of(groups[i + 1]) : *group;
        ticks[i] = code_one(coder, *group, next, recent, ticks[i]);
        group = &next;
    }
    recent_ = recent;
}

/// The next count is of the group `next`.
template <class Coder>
u64 TickModel::code_one(Coder& coder, Group& group, const Group& next, Recent& recent, u64 ticks) {
    LengthDistribution& special =
        context(length_contexts_, group.after_lengths[recent.lengths()], group.length);
    int length = static_cast<int>(std::bit_width(ticks));
    const std::size_t length_class = length_mixer_.code(
        coder, group.length, special, std::min(static_cast<std::size_t>(length), kLengths - 1));
    recent.second_last = recent.length;
    recent.length = length_class;
    if constexpr (!Coder::kKnowsSymbols) fetch_lengths(next, recent);
    length = length_class < kLengths - 1 ? static_cast<int>(length_class)
                                         : code_long_length(coder, length);
    ticks = length < 2 ? static_cast<u64>(length)
                       : code_mantissa(coder, group, kLengths * recent.scale + length_class, length,
                                       ticks);
    recent.scale = scale_of(ticks, length);
    if constexpr (!Coder::kKnowsSymbols) prefetch(&next.after_scale[kLengths * recent.scale]);
    return ticks;
}

/// What the next count needs first is far away while many locations take turns.
inline void TickModel::fetch_lengths(const Group& next, const Recent& recent) const {
    const u16 number = next.after_lengths[recent.lengths()];
    if (number != kNone) prefetch(&length_contexts_[number]);
    prefetch(&next.length);
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

/// What follows the first bit of a number of at least two bits; `place` in Group::after_scale.
template <class Coder>
u64 TickModel::code_mantissa(Coder& coder, Group& group, std::size_t place, int length, u64 ticks) {
    const int low_bits = std::max(0, length - 4);
    const int head_bits = length - 1 - low_bits;
    HeadDistribution& general = group.head[place % kLengths];
    HeadDistribution& special = context(head_contexts_, group.after_scale[place], general);
    const std::size_t head =
        head_mixer_.code(coder, general, special, ticks >> low_bits & ((1U << head_bits) - 1));
    const u64 high = (u64{1} << head_bits | head) << low_bits;
    return high | coder.bits(ticks & ((u64{1} << low_bits) - 1), low_bits);
}

}  // namespace tracefold
