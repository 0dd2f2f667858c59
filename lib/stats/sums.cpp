// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/sums.hpp"

#include "core/saturating.hpp"

namespace tracefold {

void Sums::add(u32 row, Quantity quantity, u64 value, u64 times) {
    if (row >= entries_.size()) entries_.resize(row + 1);
    Entry& entry = entries_[row];
    if (!entry.used) {
        entry.used = true;
        used_.push_back(row);
    }
    const auto place = static_cast<std::size_t>(quantity);
    u64 product = 0;
    if (__builtin_mul_overflow(value, times, &product)) product = kOverflow;
    add_saturated(entry.sums[place], product);
    entry.present[place] = true;
}

void Sums::pass(Over over, u32 location, u64 iteration, SampleSink& sink, Sums* total) {
    for (const u32 row : used_) {
        Entry& entry = entries_[row];
        for (std::size_t place = 0; place < kQuantities; ++place) {
            if (!entry.present[place]) continue;
            const auto quantity = static_cast<Quantity>(place);
            const u64 sum = entry.sums[place];
            sink.add({row, over, quantity, sum, 1, location, iteration});
            if (total != nullptr) total->add(row, quantity, sum, 1);
        }
        entry = {};
    }
    used_.clear();
}

void Sums::pass_calls(u32 location, SampleSink& sink) const {
    constexpr auto kCalls = static_cast<std::size_t>(Quantity::calls);
    for (const u32 row : used_) {
        const u64 calls = entries_[row].sums[kCalls];
        if (calls != 0) sink.add({row, Over::calls, Quantity::calls, 1, calls, location, 0});
    }
}

}  // namespace tracefold
