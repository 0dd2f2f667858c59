// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

/// An interval of 32-bit numbers that shrinks with each bit: the carryless binary arithmetic coder
/// of lpaq and PAQ8 (Mahoney), after the range coder of Martin (1979). Probabilities are those of a
/// 1, in 1/65536.
class RangeInterval {
  public:
    /// The last number that stands for a 1.
    [[nodiscard]] u32 split(u32 probability) const {
        return low_ + static_cast<u32>(u64{high_ - low_} * probability >> 16U);
    }
    void narrow(bool bit, u32 split) { (bit ? high_ : low_) = bit ? split : split + 1; }
    /// Whether the upper byte is certain; then shift() takes it away.
    [[nodiscard]] bool settled() const { return (low_ ^ high_) >> 24U == 0; }
    u8 shift() {
        const u8 byte = static_cast<u8>(high_ >> 24U);
        low_ <<= 8U;
        high_ = high_ << 8U | 0xFFU;
        return byte;
    }
    [[nodiscard]] u32 low() const { return low_; }

  private:
    u32 low_ = 0;
    u32 high_ = ~u32{0};
};

/// Arithmetic coding of bits: one of probability c / 65536 costs -log2(c / 65536) bits.
class RangeEncoder {
  public:
    void put(bool bit, u32 probability) {
        interval_.narrow(bit, interval_.split(probability));
        while (interval_.settled()) bytes_.push_back(static_cast<char>(interval_.shift()));
    }

    /// All bytes. Zeros at the end are left out, since a decoder reads them anyway.
    std::string take() {
        if (interval_.low() != 0) {
            bytes_.push_back(static_cast<char>((interval_.low() >> 24U) + 1));
        }
        bytes_.resize(bytes_.find_last_not_of('\0') + 1);
        return std::move(bytes_);
    }

  private:
    RangeInterval interval_;
    std::string bytes_;
};

/// Reads what RangeEncoder wrote. Past the end it yields zeros.
class RangeDecoder {
  public:
    explicit RangeDecoder(std::string_view bytes) : bytes_(bytes) {
        for (int i = 0; i < 4; ++i) shift_in();
    }

    bool get(u32 probability) {
        const u32 split = interval_.split(probability);
        const bool bit = code_ <= split;
        interval_.narrow(bit, split);
        while (interval_.settled()) {
            interval_.shift();
            shift_in();
        }
        return bit;
    }

  private:
    void shift_in() {
        const u8 byte = position_ < bytes_.size() ? static_cast<u8>(bytes_[position_]) : u8{0};
        ++position_;
        code_ = code_ << 8U | byte;
    }

    RangeInterval interval_;
    std::string_view bytes_;
    std::size_t position_ = 0;
    u32 code_ = 0;
};

}  // namespace tracefold
