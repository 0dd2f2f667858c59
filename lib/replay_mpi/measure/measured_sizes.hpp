// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace tracefold {

/// How many messages there are of which size, in powers of two: bucket 0 holds those of 0 bytes,
/// bucket k those from 2^(k-1) on and below 2^k.
class MeasuredSizes {
  public:
    static constexpr std::size_t kBuckets = 65;

    struct Bucket {
        u64 count = 0;
        u64 bytes = 0;  ///< all together

        static void each_field(auto& self, auto& visit) { visit(self.count, self.bytes); }
        bool operator==(const Bucket&) const = default;
    };

    [[nodiscard]] static std::size_t bucket_of(u64 bytes) {
        return static_cast<std::size_t>(std::bit_width(bytes));
    }

    void add(u64 bytes) { add_to(bucket_of(bytes), {1, bytes}); }
    /// Precondition: the bucket exists.
    void add_to(std::size_t bucket, const Bucket& more) {
        buckets_[bucket].count += more.count;
        buckets_[bucket].bytes += more.bytes;
    }
    void merge(const MeasuredSizes& other) {
        for (std::size_t i = 0; i < kBuckets; ++i) add_to(i, other.buckets_[i]);
    }

    static void each_field(auto& self, auto& visit) { visit(self.buckets_); }
    [[nodiscard]] const std::array<Bucket, kBuckets>& buckets() const { return buckets_; }
    /// The smallest size of a bucket in bytes.
    [[nodiscard]] static u64 lower_bound(std::size_t bucket) {
        return bucket == 0 ? 0 : u64{1} << (bucket - 1);
    }

  private:
    std::array<Bucket, kBuckets> buckets_{};
};

}  // namespace tracefold
