// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/record_history.hpp"

#include "mpi_calls/counting_fields.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMultiplier = 0x9E3779B97F4A7C15ULL;

u32 fingerprint(const RecordBatch& batch, const RecordBatch::Head& head) {
    const std::span<const u64> values = batch.values(head);
    const u8 counting = counting_field(head.type);
    u64 hash = head.type + (u64{head.value_count} << 8U);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != counting) hash = (hash ^ values[i]) * kMultiplier;
    }
    return static_cast<u32>((hash * kMultiplier) >> 32U);
}

}  // namespace

void RecordHistory::add(const RecordBatch& batch, std::span<const RecordBatch::Head> heads) {
    for (const RecordBatch::Head& head : heads) {
        fingerprints_.push_back(fingerprint(batch, head));
    }
    forget();
}

void RecordHistory::repeat(std::size_t period, u64 times) {
    const u64 needed = std::min<u64>(times, kReach / period + 1);
    for (u64 i = 0; i < needed * period; ++i) {
        fingerprints_.push_back(fingerprints_[fingerprints_.size() - period]);
    }
    forget();
}

void RecordHistory::forget() {
    if (fingerprints_.size() < 2 * kReach) return;
    fingerprints_.erase(fingerprints_.begin(),
                        fingerprints_.end() - static_cast<std::ptrdiff_t>(kReach));
}

bool RecordHistory::repeats_after(std::size_t period) const {
    if (fingerprints_.size() < period + kGlance) return false;
    const u32* const end = fingerprints_.data() + fingerprints_.size();
    return std::equal(end - kGlance, end, end - kGlance - period);
}

std::size_t RecordHistory::period() const {
    if (fingerprints_.size() <= kEvidence) return 0;
    const u32* const end = fingerprints_.data() + fingerprints_.size();
    const u32* const oldest = fingerprints_.data() + kEvidence - 1;
    for (const u32* last = end - 2; last >= oldest; --last) {
        if (*last == end[-1] && std::equal(last - (kEvidence - 1), last, end - kEvidence)) {
            return static_cast<std::size_t>(end - 1 - last);
        }
    }
    return 0;
}

}  // namespace tracefold
