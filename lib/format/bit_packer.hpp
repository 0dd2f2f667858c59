// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tracefold::inline format {

/// Packs bits, least significant first, into bytes.
class BitWriter {
  public:
    /// Appends the low `count` bits of a number that has no others, at most 64.
    void put(u64 bits, int count) {
        if (count > 32) {
            put(bits & 0xFFFFFFFFU, 32);
            bits >>= 32U;
            count -= 32;
        }
        held_ |= bits << used_;
        used_ += count;
        if (used_ >= 32) flush(32);
    }

    /// The bytes since the last call, padded with zeros.
    std::string take() {
        flush(used_);
        return std::exchange(bytes_, {});
    }

  private:
    void flush(int bits) {
        for (; bits > 0; bits -= 8) {
            bytes_.push_back(static_cast<char>(held_ & 0xFFU));
            held_ >>= 8U;
            used_ = used_ < 8 ? 0 : used_ - 8;
        }
    }

    std::string bytes_;
    u64 held_ = 0;
    int used_ = 0;  ///< less than 32 between calls
};

/// Reads what BitWriter wrote. Past the end it yields zeros.
class BitReader {
  public:
    BitReader() = default;
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

    /// The next `count` bits, at most 64.
    u64 get(int count) {
        if (count > 32) {
            const u64 low = get(32);
            return low | get(count - 32) << 32U;
        }
        if (held_bits_ < count) refill();
        const u64 bits = held_ & ((u64{1} << count) - 1);
        held_ >>= count;
        held_bits_ -= count;
        return bits;
    }

    /// Whether the bytes ended exactly with the last bit and its padding.
    [[nodiscard]] bool finished() const {
        const std::size_t unread = static_cast<std::size_t>(held_bits_) / 8;
        return position_ - unread == bytes_.size() && held_ == 0;
    }

  private:
    void refill() {
        for (int i = 0; i < 4; ++i, ++position_, held_bits_ += 8) {
            const u64 byte = position_ < bytes_.size() ? static_cast<u8>(bytes_[position_]) : 0;
            held_ |= byte << held_bits_;
        }
    }

    std::string_view bytes_;
    std::size_t position_ = 0;  ///< of the next byte to be taken into held_
    u64 held_ = 0;
    int held_bits_ = 0;
};

}  // namespace tracefold::inline format
