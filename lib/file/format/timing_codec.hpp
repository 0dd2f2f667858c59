// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/memory.hpp"
#include "base/types.hpp"
#include "file/format/ans_coder.hpp"
#include "model/record_batch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
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

/// What is known about the tick counts of a location (docs/reference/format.md, section 7.1). A
/// count is its length in bits, the three bits after its first one, and the remaining ones, which
/// are noise. Length and three bits are each predicted from the record's group alone, and from the
/// group and what came just before. Memory: about 2 KiB per group and 34 or 18 bytes per context,
/// of which there are at most 2 * kMaxContexts.
///
/// The coder gives or takes the parts: `std::size_t symbol(const Lanes<Size>& starts, std::size_t
/// symbol)` and `u64 bits(u64 bits, int count)`. An encoder returns what it is given, a decoder
/// what it reads. kKnowsSymbols tells them apart: an encoder also has `put(start, frequency)`, as
/// no other symbols have to be looked at, and needs no memory fetched in advance, since it works on
/// one location at a time.
///
/// Tried without gain: AVX2, reciprocals for the divisions, learning rates as vectors, all lengths
/// of a block before the other bits (no faster); coding bit by bit (3 % smaller, but eight steps
/// that depend on each other); leaving out the three bits (half the time, 6 to 16 % larger).
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

/// Numbers of this many bits are written and read at once.
inline constexpr int kBitsAtOnce = 32;

/// Eight bytes as a number, the lowest one first; one access where the machine has them so as well.
inline u64 load_eight(const char* bytes) {
    u64 number = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&number, bytes, sizeof(number));
    } else {
        for (unsigned i = 0; i < 8; ++i) number |= u64{static_cast<u8>(bytes[i])} << 8 * i;
    }
    return number;
}
inline void store_eight(char* bytes, u64 number) {
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(bytes, &number, sizeof(number));
    } else {
        for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<char>(number >> 8 * i & 0xFFU);
    }
}

/// Packs bits, least significant first, into bytes that the caller has room for: a byte for each
/// eight bits, and kRest more. No branch depends on how many bits there are: it would often be
/// mispredicted.
class BitWriter {
  public:
    static constexpr std::size_t kRest = 8;

    explicit BitWriter(char* to) : to_(to) {}

    /// Appends the low `count` bits of a number that has no others, at most 64.
    void put(u64 bits, int count) {
        if (count > kBitsAtOnce) {
            put(bits & 0xFFFFFFFFU, kBitsAtOnce);
            bits >>= kBitsAtOnce;
            count -= kBitsAtOnce;
        }
        held_ |= bits << used_;
        used_ += count;
        store_eight(to_, held_);
        to_ += used_ / 8;
        held_ >>= used_ / 8 * 8;
        used_ %= 8;
    }

    /// Where the bytes end; the last one is padded with zeros.
    [[nodiscard]] char* end() const { return to_ + (used_ != 0 ? 1 : 0); }

  private:
    char* to_;
    u64 held_ = 0;
    unsigned used_ = 0;  ///< less than 8 between calls
};

/// Reads what BitWriter wrote. Past the end it yields zeros.
class BitReader {
  public:
    BitReader() = default;
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

    /// The next `count` bits, at most 64.
    u64 get(int count) {
        if (count > kBitsAtOnce) {
            const u64 low = get(kBitsAtOnce);
            return low | get(count - kBitsAtOnce) << kBitsAtOnce;
        }
        const u64 bits = next() & ((u64{1} << count) - 1);
        position_ += static_cast<unsigned>(count);
        return bits;
    }

    /// Whether the bytes ended exactly with the last bit and its padding.
    [[nodiscard]] bool finished() const {
        return (position_ + 7) / 8 == bytes_.size() && (position_ % 8 == 0 || next() == 0);
    }

  private:
    /// The next 57 bits and maybe more.
    [[nodiscard]] u64 next() const {
        const std::size_t first = position_ / 8;
        if (first + 8 <= bytes_.size()) return load_eight(&bytes_[first]) >> position_ % 8;
        std::array<char, 8> last{};
        if (first < bytes_.size()) bytes_.copy(last.data(), last.size(), first);
        return load_eight(last.data()) >> position_ % 8;
    }

    std::string_view bytes_;
    std::size_t position_ = 0;  ///< in bits
};

/// How differences between ticks become bytes.
enum class TickCoding : u8 {
    modelled,  ///< with probabilities that a TickModel learns
    plain,     ///< as varints, for portable files: zstd compresses the whole section
};

/// Writes the exact ticks of one location (docs/reference/format.md, section 7.1): in blocks of
/// kBlockRecords records, the differences between consecutive records divided by the clock's
/// granularity, coded with a TickModel that learns over all blocks. Cost: about 30 ns a record;
/// memory: one block and the model.
class TimingEncoder {
  public:
    static constexpr std::size_t kBlockRecords = std::size_t{1} << 15U;
    using Sink = std::function<void(std::string_view)>;

    explicit TimingEncoder(Sink sink, TickCoding coding = TickCoding::modelled)
        : sink_(std::move(sink)), coding_(coding) {}

    /// Forgets what it learned, for another location. Memory is used again.
    void begin() { model_.forget(); }
    void add(std::span<const CallBatch::Delta> deltas);
    /// Writes the last block. Nothing is written for a location without records.
    void finish();

  private:
    /// Where the quotients of a block go. As TickModel asks.
    struct Quotients {
        static constexpr bool kKnowsSymbols = true;

        void put(u32 start, u32 frequency) {
            *next_symbol++ = AnsEncoder::packed(start, frequency);
        }
        template <std::size_t Size>
        std::size_t symbol(const Lanes<Size>& starts, std::size_t symbol) {
            put(starts[symbol], frequency(starts, symbol));
            return symbol;
        }
        u64 bits(u64 bits, int count) {
            low_bits.put(bits, count);
            return bits;
        }

        u32* next_symbol;
        BitWriter low_bits;
    };

    void write_block();
    /// Divides the ticks of the block, but for the first, and returns where their remainders
    /// change.
    std::string divide(u64 granularity);
    void code_quotients();
    /// Appends what stands for the quotients of the block.
    void put_quotients(ByteWriter& out);

    Sink sink_;
    TickCoding coding_;
    AppendBuffer<u32> groups_;  ///< of the records of the block
    AppendBuffer<u64> ticks_;  ///< likewise; once they are divided, all but the first are quotients
    TickModel model_;
    AnsEncoder symbols_;
    AppendBuffer<char> bits_;
    ByteWriter plain_;
};

/// Reads what TimingEncoder wrote. Throws Error(corrupt).
class TimingDecoder {
  public:
    /// `bytes` must outlive the decoder; `name` says in messages what is being read.
    TimingDecoder(std::string_view bytes, const std::string& name,
                  TickCoding coding = TickCoding::modelled)
        : in_(bytes, name), coding_(coding) {}

    /// Ticks between the previous record and the next one, which is of this group. A wrong group
    /// is noticed at the end of its block only.
    u64 next(u32 group) {
        u64 ticks = 0;
        next({&group, 1}, &ticks);
        return ticks;
    }
    /// The same for many records, in less time.
    void next(std::span<const u32> groups, u64* ticks);
    /// Throws unless everything has been read.
    void expect_end() const;

  private:
    /// Where the quotients of a block come from. As TickModel asks.
    struct Quotients {
        static constexpr bool kKnowsSymbols = false;

        template <std::size_t Size>
        std::size_t symbol(const Lanes<Size>& starts, std::size_t) {
            return symbols.get(starts);
        }
        u64 bits(u64, int count) { return low_bits.get(count); }

        AnsDecoder symbols;
        BitReader low_bits;
    };
    struct Change {
        u64 record;
        u64 remainder;
    };

    u64 read_block();
    void read_changes(u64 records);
    void read_quotients(std::span<const u32> groups, u64* ticks);
    void make_ticks(std::span<u64> quotients);
    void expect_end_of_block() const;

    ByteReader in_;
    TickCoding coding_;
    TickModel model_;
    Quotients quotients_;
    u64 granularity_ = 1;
    u64 remainder_ = 0;  ///< of the last record's ticks since the block's first record
    u64 record_ = 0;     ///< in the block
    u64 records_ = 0;
    std::vector<Change> changes_;
    std::size_t next_change_ = 0;
};

}  // namespace tracefold
