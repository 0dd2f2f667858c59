// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/collective_waits.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

std::string_view wait_name(WaitKind kind) {
    constexpr std::array<std::string_view, kWaitKinds> kNames = {
        "late_sender", "late_receiver", "barrier", "all_to_all",
        "late_root",   "early_root",    "prefix"};
    return kNames[static_cast<std::size_t>(kind)];
}

WaitKind collective_wait(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::barrier:
            return WaitKind::barrier;
        case CollectiveKind::bcast:
        case CollectiveKind::scatter:
        case CollectiveKind::scatterv:
            return WaitKind::late_root;
        case CollectiveKind::gather:
        case CollectiveKind::gatherv:
        case CollectiveKind::reduce:
            return WaitKind::early_root;
        case CollectiveKind::scan:
        case CollectiveKind::exscan:
            return WaitKind::prefix;
        default:
            return WaitKind::all_to_all;
    }
}

std::vector<u64> ready_times(WaitKind kind, std::span<const u64> arrivals, u32 root) {
    std::vector<u64> ready(arrivals.begin(), arrivals.end());
    if (ready.empty()) return ready;
    const u64 last = *std::max_element(arrivals.begin(), arrivals.end());
    const bool rooted = root < arrivals.size();
    if (kind == WaitKind::late_root && rooted) {
        for (u64& time : ready) time = std::max(time, arrivals[root]);
    } else if (kind == WaitKind::early_root && rooted) {
        ready[root] = last;
    } else if (kind == WaitKind::prefix) {
        for (std::size_t i = 1; i < ready.size(); ++i) ready[i] = std::max(ready[i], ready[i - 1]);
    } else {
        std::fill(ready.begin(), ready.end(), last);
    }
    return ready;
}

}  // namespace tracefold
