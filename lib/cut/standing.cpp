// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/standing.hpp"

#include "mpi_calls/record_traits.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

using Pairs = std::array<const StandingPair*, kEventTypes>;

template <EventType StandingPair::*End>
constexpr Pairs pairs_by() {
    Pairs pairs{};
    for (const StandingPair& pair : kStandingPairs) {
        pairs[static_cast<std::size_t>(pair.*End)] = &pair;
    }
    return pairs;
}

constexpr Pairs kOpened = pairs_by<&StandingPair::opens>();
constexpr Pairs kClosed = pairs_by<&StandingPair::closes>();

}  // namespace

const StandingPair* opened_pair(u8 type) { return kOpened[type]; }

const StandingPair* closed_pair(u8 type) { return kClosed[type]; }

void Standing::open(const StandingPair& pair, const RecordBatch& batch,
                    const RecordBatch::Head& head, u64 stretch) {
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    entry.record.clear();
    entry.record.append(batch, head);
    entry.pair = &pair;
    entry.stretch = stretch;
    entry.told = false;
}

Standing::Entry* Standing::find(const StandingPair& pair, std::span<const u64> values) {
    for (std::size_t i = size_; i-- > 0;) {
        Entry& entry = entries_[i];
        if (entry.pair != &pair) continue;
        const std::span<const u64> opened = entry.record.last_values();
        if (std::equal(opened.begin(), opened.begin() + pair.same, values.begin())) return &entry;
    }
    return nullptr;
}

Standing::Entry* Standing::innermost_region() {
    Entry* entry = entries_.data() + size_ - 1;
    while (record_traits(entry->record[0].type).role != RecordRole::opens) --entry;
    return entry;
}

void Standing::close(Entry* entry) {
    std::rotate(entry, entry + 1, entries_.data() + size_);
    --size_;
}

}  // namespace tracefold
