// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/late_values.hpp"

#include <cstddef>

namespace tracefold {

u32 LateValues::add(u8 value_count) {
    u32 id = static_cast<u32>(entries_.size());
    if (free_.empty()) {
        entries_.emplace_back();
    } else {
        id = free_.back();
        free_.pop_back();
    }
    entries_[id] = {{}, value_count, false, kNone};
    return id;
}

void LateValues::post(u32 entry, u32 first_column, CallBatch& out) {
    if (first_column >= queue_of_column_.size()) queue_of_column_.resize(first_column + 1, kNone);
    u32& queue = queue_of_column_[first_column];
    if (queue == kNone) {
        queue = static_cast<u32>(queues_.size());
        queues_.push_back({first_column, {}, 0});
    }
    entries_[entry].queue = queue;
    queues_[queue].entries.push_back(entry);
    if (entries_[entry].resolved) drain(queues_[queue], out);
}

void LateValues::resolve(u32 entry, const Values& values, CallBatch& out) {
    entries_[entry].values = values;
    entries_[entry].resolved = true;
    if (entries_[entry].queue != kNone) drain(queues_[entries_[entry].queue], out);
}

void LateValues::drain(Queue& queue, CallBatch& out) {
    while (queue.head < queue.entries.size() && entries_[queue.entries[queue.head]].resolved) {
        const u32 id = queue.entries[queue.head++];
        const Entry& entry = entries_[id];
        for (u8 i = 0; i < entry.value_count; ++i) {
            out.values.push_back({queue.first_column + i, entry.values[i]});
        }
        free_.push_back(id);
    }
    // Drops entries in batches: a queue that is never empty stays short at O(1) per entry.
    if (2 * queue.head >= queue.entries.size()) {
        const auto begin = queue.entries.begin();
        queue.entries.erase(begin, begin + static_cast<std::ptrdiff_t>(queue.head));
        queue.head = 0;
    }
}

}  // namespace tracefold
