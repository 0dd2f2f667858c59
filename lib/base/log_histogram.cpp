// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/log_histogram.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

u64 sum_of_middles(const std::vector<u64>& buckets) {
    u64 sum = 0;
    for (u32 b = 0; b < buckets.size(); ++b) sum += buckets[b] * log_bucket_middle(b);
    return sum;
}

void LogHistogram::reach(u32 bucket) { buckets_.resize(bucket + 1, 0); }

void LogHistogram::merge(const LogHistogram& other) {
    count_ += other.count_;
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    if (buckets_.size() < other.buckets_.size()) buckets_.resize(other.buckets_.size(), 0);
    for (std::size_t b = 0; b < other.buckets_.size(); ++b) buckets_[b] += other.buckets_[b];
}

u64 LogHistogram::at(u64 place) const {
    if (place == 0) return min_;
    if (place + 1 >= count_) return max_;
    u64 passed = 0;
    u32 bucket = 0;
    while (passed + buckets_[bucket] <= place) passed += buckets_[bucket++];
    return std::clamp(log_bucket_middle(bucket), min_, max_);
}

LogHistogram LogHistogram::from_parts(std::vector<u64> buckets, u64 sum, u64 min, u64 max) {
    LogHistogram histogram;
    histogram.count_ = std::accumulate(buckets.begin(), buckets.end(), u64{0});
    histogram.buckets_ = std::move(buckets);
    histogram.sum_ = sum;
    histogram.min_ = min;
    histogram.max_ = max;
    return histogram;
}

}  // namespace tracefold
