// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tracefold {

/// Logarithmic buckets with eight steps per octave: each number below 8 has its own bucket, larger
/// numbers share one if exponent and upper three mantissa bits agree. The middle of a bucket is
/// within 1/16 of every number in it.
constexpr u32 log_bucket(u64 value) {
    if (value < 8) return static_cast<u32>(value);
    const u32 exponent = static_cast<u32>(std::bit_width(value)) - 1;
    return 8 * (exponent - 2) + static_cast<u32>((value >> (exponent - 3)) & 7U);
}

inline constexpr u32 kLogBuckets = log_bucket(~u64{0}) + 1;

/// The smallest number and the number of values of a bucket. Precondition: < kLogBuckets.
constexpr u64 log_bucket_start(u32 bucket) {
    if (bucket < 8) return bucket;
    return (u64{8} + bucket % 8) << (bucket / 8 - 1);
}
constexpr u64 log_bucket_width(u32 bucket) { return bucket < 8 ? 1 : u64{1} << (bucket / 8 - 1); }
constexpr u64 log_bucket_middle(u32 bucket) {
    return log_bucket_start(bucket) + log_bucket_width(bucket) / 2;
}

/// Sums the numbers as if each lay in the middle of its bucket, modulo 2^64.
u64 sum_of_middles(const std::vector<u64>& buckets);

/// Count, sum, extremes and log buckets of a multiset of numbers; independent of the order of
/// additions and merges. Memory: 8 bytes per bucket up to that of the largest number.
class LogHistogram {
  public:
    void add(u64 value) {
        ++count_;
        sum_ += value;
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
        const u32 bucket = log_bucket(value);
        if (bucket >= buckets_.size()) [[unlikely]]
            reach(bucket);
        ++buckets_[bucket];
    }
    void merge(const LogHistogram& other);

    [[nodiscard]] u64 count() const { return count_; }
    /// Modulo 2^64.
    [[nodiscard]] u64 sum() const { return sum_; }
    /// 0 if the set is empty.
    [[nodiscard]] u64 min() const { return count_ == 0 ? 0 : min_; }
    [[nodiscard]] u64 max() const { return max_; }
    [[nodiscard]] u64 mean() const { return count_ == 0 ? 0 : sum_ / count_; }
    /// Numbers per bucket; buckets beyond the end are empty.
    [[nodiscard]] const std::vector<u64>& buckets() const { return buckets_; }

    /// Returns element `place` (0 .. count - 1) of the sorted set, to within its bucket, and always
    /// within min .. max. Precondition: place < count.
    [[nodiscard]] u64 at(u64 place) const;

    /// Restores a histogram from a file; the count is the sum of the buckets.
    static LogHistogram from_parts(std::vector<u64> buckets, u64 sum, u64 min, u64 max);

    bool operator==(const LogHistogram&) const = default;

  private:
    void reach(u32 bucket);

    u64 count_ = 0;
    u64 sum_ = 0;
    u64 min_ = ~u64{0};
    u64 max_ = 0;
    std::vector<u64> buckets_;
};

}  // namespace tracefold
