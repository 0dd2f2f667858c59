// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/collective_needs.hpp"

#include <algorithm>

namespace tracefold {

CollectiveNeed collective_need(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::bcast:
        case CollectiveKind::scatter:
        case CollectiveKind::scatterv:
            return CollectiveNeed::root;
        case CollectiveKind::gather:
        case CollectiveKind::gatherv:
        case CollectiveKind::reduce:
            return CollectiveNeed::members;
        case CollectiveKind::scan:
        case CollectiveKind::exscan:
            return CollectiveNeed::lower;
        default:
            return CollectiveNeed::everybody;
    }
}

bool needs_others(const CollectiveInstances::Instance& instance) {
    return !moves_data(instance.part.kind) || instance.sent != 0 || instance.received != 0;
}

std::vector<u64> ready_times(CollectiveNeed need, std::span<const u64> arrivals, u32 root) {
    std::vector<u64> ready(arrivals.begin(), arrivals.end());
    if (ready.empty()) return ready;
    const u64 last = *std::max_element(arrivals.begin(), arrivals.end());
    const bool rooted = root < arrivals.size();
    if (need == CollectiveNeed::root && rooted) {
        for (u64& time : ready) time = std::max(time, arrivals[root]);
    } else if (need == CollectiveNeed::members && rooted) {
        ready[root] = last;
    } else if (need == CollectiveNeed::lower) {
        for (std::size_t i = 1; i < ready.size(); ++i) ready[i] = std::max(ready[i], ready[i - 1]);
    } else {
        std::fill(ready.begin(), ready.end(), last);
    }
    return ready;
}

}  // namespace tracefold
