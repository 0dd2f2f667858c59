// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/memory.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

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

/// The numbers that a state is made of: a type of its own, or what arrays of it hold.
template <class Value>
struct StateNumber {
    static constexpr std::size_t kSize = sizeof(Value);
    static_assert(std::is_trivially_copyable_v<Value> && std::has_single_bit(kSize) && kSize <= 8);
};
template <class Value, std::size_t Size>
struct StateNumber<std::array<Value, Size>> : StateNumber<Value> {};

/// The numbers of a state as little-endian bytes, in place: the way there is the way back.
template <class Value>
void swap_little_endian([[maybe_unused]] char* bytes, [[maybe_unused]] std::size_t size) {
    constexpr std::size_t kNumber = StateNumber<Value>::kSize;
    if constexpr (std::endian::native == std::endian::big) {
        for (char* number = bytes; number != bytes + size; number += kNumber)
            std::reverse(number, number + kNumber);
    }
}

/// What a model has learnt, as bytes that are the same on every machine. The parts of a model hand
/// their members, which are numbers of a fixed size, to a writer or a reader, in the same order.
class ModelStateWriter {
  public:
    template <class Value>
    void operator()(const std::vector<Value>& values) {
        put<Value>(values.data(), values.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(const Value& value) {
        put<Value>(&value, sizeof(Value));
    }
    void operator()(const std::string& text) { bytes_.put_text(text); }

    ByteWriter& bytes() { return bytes_; }

  private:
    template <class Value>
    void put(const void* data, std::size_t size) {
        std::string bytes(static_cast<const char*>(data), size);
        swap_little_endian<Value>(bytes.data(), size);
        bytes_.put_bytes(bytes);
    }

    ByteWriter bytes_;
};

/// Throws Error(corrupt) at a wrong end.
class ModelStateReader {
  public:
    explicit ModelStateReader(std::string_view bytes) : bytes_(bytes, "what a model has learnt") {}

    /// The vector has the size that it had when it was written.
    template <class Value>
    void operator()(std::vector<Value>& values) {
        get<Value>(values.data(), values.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(Value& value) {
        get<Value>(&value, sizeof(Value));
    }
    void operator()(std::string& text) { text = bytes_.get_text(); }

    ByteReader& bytes() { return bytes_; }

  private:
    template <class Value>
    void get(void* data, std::size_t size) {
        std::memcpy(data, bytes_.get_bytes(size).data(), size);
        swap_little_endian<Value>(static_cast<char*>(data), size);
    }

    ByteReader bytes_;
};

/// Stores 16 bytes of numbers at once. Stores of single numbers cannot be forwarded to the load of
/// a vector that has several of them: it waits until all are in the cache.
template <class To, class... Numbers>
void store_together(To* to, Numbers... numbers) {
    static_assert(sizeof...(numbers) * sizeof(To) == 16);
#if defined(__GNUC__)
    typedef To Together __attribute__((vector_size(16)));
    const Together together = {numbers...};
    std::memcpy(to, &together, sizeof(together));
#else
    ((*to++ = numbers), ...);
#endif
}

/// Probabilities by context and hash. A cell carries a tag of whose it is: for another hash it
/// begins anew, so that the probabilities of two are rarely mixed up (docs/reference/format.md,
/// "Context mixing"). Tried without gain: fetching the cells of both possible bits, vectors of 256
/// bits, more than twelve contexts, and codes that need fewer decisions per byte (larger, and no
/// faster).
class ContextCells {
  public:
    static constexpr u32 kTagBits = 5;
    static constexpr u32 kLimit = 30;  ///< of a cell's count
    using Cell = BasicProbabilityCell<kTagBits>;

    static constexpr u32 kContexts = 10;
    static constexpr u32 kMaxBits = 18;

    /// 2^bits cells for each context. Precondition: at most kMaxBits.
    explicit ContextCells(u32 bits) : bits_(bits), cells_(std::size_t{kContexts} << bits) {}

    /// One of each context, so many that vectors have no rest; those past kContexts mean nothing.
    static constexpr u32 kLanes = 12;
    template <class Value>
    using Lanes = std::array<Value, kLanes>;

    /// Where cells are, and whose they have to be.
    struct Places {
        Lanes<u32> places{};
        Lanes<u32> tags{};
    };

    /// Begins to get the cells of these hashes into the cache.
    [[nodiscard]] Places find(const Lanes<u32>& hashes) const {
        Places found;
        for (u32 i = 0; i < kLanes; ++i) {
            const u32 key = hashes[i] >> (32 - kKeyBits);
            found.places[i] = place_of(i, key);
            found.tags[i] = tag_of(key);
        }
        for (u32 i = 0; i < kContexts; ++i) __builtin_prefetch(&cells_[found.places[i]], 1);
        return found;
    }
    [[nodiscard]] Lanes<Cell> read(const Places& found) const {
        Lanes<u32> packed;
        const auto at = [&](u32 i) { return cells_[found.places[i]].packed(); };
        static_assert(kContexts == 10 && kLanes == 12);
        store_together(&packed[0], at(0), at(1), at(2), at(3));
        store_together(&packed[4], at(4), at(5), at(6), at(7));
        store_together(&packed[8], at(8), at(9), 0U, 0U);
        Lanes<Cell> cells;
        for (u32 i = 0; i < kLanes; ++i) {
            cells[i] = Cell::of_packed(packed[i]);
            cells[i].claim(found.tags[i]);
        }
        return cells;
    }
    void write(const Places& found, const Lanes<Cell>& cells) {
        for (u32 i = 0; i < kContexts; ++i) cells_[found.places[i]] = cells[i];
    }
    /// What learn() does with each of the cells.
    static void learn(Lanes<Cell>& cells, bool bit) {
        Lanes<u32> rates;
        for (u32 i = 0; i < kLanes; ++i) rates[i] = kLearningRates[cells[i].count()];
        for (u32 i = 0; i < kLanes; ++i) cells[i].learn(bit, kLimit, rates[i]);
    }

    /// Adds the cells that learnt something. Precondition: 2^kMaxBits cells.
    void save(ModelStateWriter& state) const;
    /// Takes saved cells; where two meet, the one that learnt from more bits, or else the first.
    void load(ModelStateReader& state);

  private:
    static constexpr u32 kKeyBits = kMaxBits + kTagBits;

    /// The upper bits of a key say where, the next ones are the tag.
    [[nodiscard]] u32 place_of(u32 context, u32 key) const {
        return (context << bits_) + (key >> (kKeyBits - bits_));
    }
    [[nodiscard]] u32 tag_of(u32 key) const {
        return key >> (kMaxBits - bits_) & ((1U << kTagBits) - 1);
    }

    u32 bits_;
    std::vector<Cell, HugePageAllocator<Cell>> cells_;
};

}  // namespace tracefold
