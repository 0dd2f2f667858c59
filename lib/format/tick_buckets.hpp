// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <bit>
#include <string>

namespace tracefold {

/// A number as a bucket (exponent and three bits of mantissa) and its remaining low bits: small
/// numbers are their own bucket. Numbers from 2^33 on are in the last bucket with all 64 bits.
struct TickBucket {
    u8 bucket = 0;
    u8 low_bits = 0;  ///< how many
    u64 low = 0;
};

inline constexpr u8 kLastBucket = 255;

constexpr TickBucket bucket_of(u64 value) {
    if (value < 8) return {static_cast<u8>(value), 0, 0};
    const int exponent = static_cast<int>(std::bit_width(value)) - 1;
    if (exponent > 32) return {kLastBucket, 64, value};
    const int low_bits = exponent - 3;
    const u64 mantissa = (value >> low_bits) & 7U;
    return {static_cast<u8>(8 + low_bits * 8 + static_cast<int>(mantissa)),
            static_cast<u8>(low_bits), value & ((u64{1} << low_bits) - 1)};
}

/// How many low bits the numbers of a bucket have.
constexpr int low_bits_of(u8 bucket) {
    if (bucket == kLastBucket) return 64;
    return bucket < 16 ? 0 : (bucket - 8) / 8;
}

constexpr u64 value_of(u8 bucket, u64 low) {
    if (bucket == kLastBucket) return low;
    if (bucket < 8) return bucket;
    const u64 mantissa = 8U + ((bucket - 8U) & 7U);
    return (mantissa << low_bits_of(bucket)) | low;
}

/// Packs bits, least significant first, into bytes.
class BitWriter {
  public:
    void put(u64 bits, int count) {
        while (count > 0) {
            const int taken = count < 64 - used_ ? count : 64 - used_;
            word_ |= (taken == 64 ? bits : bits & ((u64{1} << taken) - 1)) << used_;
            used_ += taken;
            count -= taken;
            bits = taken == 64 ? 0 : bits >> taken;
            if (used_ == 64) flush();
        }
    }
    std::string take() {
        while (used_ > 0) {
            bytes_.push_back(static_cast<char>(word_));
            word_ >>= 8U;
            used_ -= 8;
        }
        used_ = 0;
        word_ = 0;
        return std::move(bytes_);
    }

  private:
    void flush() {
        for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(word_ >> (8 * i)));
        word_ = 0;
        used_ = 0;
    }

    std::string bytes_;
    u64 word_ = 0;
    int used_ = 0;
};

/// Reads what BitWriter wrote; yields zeros past the end and then says so by overrun().
class BitReader {
  public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

    u64 get(int count) {
        u64 value = 0;
        for (int done = 0; done < count;) {
            const std::size_t index = position_ / 8;
            const int offset = static_cast<int>(position_ % 8);
            const int taken = count - done < 8 - offset ? count - done : 8 - offset;
            const u64 byte = index < bytes_.size() ? static_cast<u8>(bytes_[index]) : 0;
            value |= ((byte >> offset) & ((1U << taken) - 1)) << done;
            done += taken;
            position_ += static_cast<std::size_t>(taken);
        }
        return value;
    }
    [[nodiscard]] bool overrun() const { return position_ > 8 * bytes_.size(); }

  private:
    std::string_view bytes_;
    std::size_t position_ = 0;
};

}  // namespace tracefold
