// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/open_scopes.hpp"

#include "mpi_calls/record_traits.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

using Pairs = std::array<const ScopePair*, kEventTypes>;

template <EventType ScopePair::*End>
constexpr Pairs pairs_by() {
    Pairs pairs{};
    for (const ScopePair& pair : kScopePairs) {
        pairs[static_cast<std::size_t>(pair.*End)] = &pair;
    }
    return pairs;
}

constexpr Pairs kOpened = pairs_by<&ScopePair::opens>();
constexpr Pairs kClosed = pairs_by<&ScopePair::closes>();

}  // namespace

const ScopePair* opened_pair(u8 type) { return kOpened[type]; }

const ScopePair* closed_pair(u8 type) { return kClosed[type]; }

void OpenScopes::open(const ScopePair& pair, const RecordBatch& batch,
                      const RecordBatch::Head& head, u64 stretch) {
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    entry.record.clear();
    entry.record.append(batch, head);
    entry.pair = &pair;
    entry.stretch = stretch;
    entry.told = false;
}

OpenScopes::Entry* OpenScopes::find(const ScopePair& pair, std::span<const u64> values) {
    for (std::size_t i = size_; i-- > 0;) {
        Entry& entry = entries_[i];
        if (entry.pair != &pair) continue;
        const std::span<const u64> opened = entry.record.last_values();
        if (std::equal(opened.begin(), opened.begin() + pair.same, values.begin())) return &entry;
    }
    return nullptr;
}

OpenScopes::Entry* OpenScopes::innermost_region() {
    Entry* entry = entries_.data() + size_ - 1;
    while (record_traits(entry->record[0].type).role != RecordRole::opens) --entry;
    return entry;
}

void OpenScopes::close(Entry* entry) {
    std::rotate(entry, entry + 1, entries_.data() + size_);
    --size_;
}

}  // namespace tracefold
