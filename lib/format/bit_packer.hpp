// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace tracefold {

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

}  // namespace tracefold
