// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/poll_scout.hpp"

#include "model/mpi_function.hpp"
#include "mpi_calls/record_traits.hpp"

#include <algorithm>

namespace tracefold {

PollScout::Region PollScout::look_up(u64 raw) const {
    const u64 region = tables_.global(FieldKind::region, raw);
    return tests_requests(definitions_.region_name(region)) ? Region::tests : Region::other;
}

PollScout::Region* PollScout::test_of(const RecordBatch& batch, const RecordBatch::Head& head) {
    if (head.type != static_cast<u8>(EventType::Enter)) return nullptr;
    const u64 raw = batch.values(head)[0];
    if (raw >= regions_.size()) {
        if (raw >= kMostRegions) return nullptr;
        regions_.resize(raw + 1);
    }
    Region& region = regions_[raw];
    if (region == Region::unknown) region = look_up(raw);
    return region == Region::tests || region == Region::watched ? &region : nullptr;
}

/// All records of nearly all programs come here: most are known for something else at once.
std::size_t PollScout::records_before_test(const RecordBatch& batch, Heads heads) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (heads[i].type != static_cast<u8>(EventType::Enter)) continue;
        const u64 raw = batch.values(heads[i])[0];
        if (raw < regions_.size() && regions_[raw] == Region::other) continue;
        if (test_of(batch, heads[i]) != nullptr) return i;
    }
    return heads.size();
}

std::size_t PollScout::watch(const RecordBatch& batch, Heads heads) {
    const Heads part = heads.first(std::min<std::size_t>(heads.size(), kStretch - records_));
    for (const RecordBatch::Head& head : part) {
        const RecordRole role = record_traits(head.type).role;
        if (role == RecordRole::completion) completed_ = true;
        if (role != RecordRole::opens && role != RecordRole::closes) continue;
        end_test();
        Region* const test = test_of(batch, head);
        if (test == nullptr) continue;
        *test = Region::watched;
        in_test_ = true;
        completed_ = false;
    }
    records_ += static_cast<u32>(part.size());
    return part.size();
}

void PollScout::end_test() {
    if (in_test_) ++(completed_ ? succeeded_ : failed_);
    in_test_ = false;
}

bool PollScout::judge() {
    const Region found = failed_ > kRatio * succeeded_ + kMargin ? Region::polls : Region::other;
    std::replace(regions_.begin(), regions_.end(), Region::watched, found);
    records_ = failed_ = succeeded_ = 0;
    in_test_ = false;
    return found == Region::polls;
}

}  // namespace tracefold
