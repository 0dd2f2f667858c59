// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/measure/sized_calls.hpp"

#include <algorithm>

namespace tracefold {

void SizedCalls::Times::merge(const Times& other) {
    calls += other.calls;
    bytes += other.bytes;
    nanoseconds += other.nanoseconds;
    shortest = std::min(shortest, other.shortest);
}

SizedCalls::Row& SizedCalls::times(MpiFunction function) {
    u16& row = row_of_[static_cast<std::size_t>(function)];
    if (row == 0) {
        rows_.emplace_back();
        row = static_cast<u16>(rows_.size());
    }
    return rows_[row - std::size_t{1}];
}

void SizedCalls::merge(const SizedCalls& other) {
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        const Row* more = other.find(static_cast<MpiFunction>(f));
        if (more == nullptr) continue;
        Row& mine = times(static_cast<MpiFunction>(f));
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i].merge((*more)[i]);
    }
}

}  // namespace tracefold
