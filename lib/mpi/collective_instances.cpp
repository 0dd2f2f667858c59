// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collective_instances.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Roots of an intercommunicator differ on its two sides; idle members have a special root.
constexpr u32 kFirstSpecialRoot = 0xFFFFFFF0U;

bool same_root(const CollectivePart& a, const CollectivePart& b) {
    return a.root == b.root || a.root >= kFirstSpecialRoot || b.root >= kFirstSpecialRoot;
}

}  // namespace

u64 CollectiveInstances::arrive(u32 number, const Arrival& arrival, const CollectivePart& part) {
    Context& context = contexts_[number];
    u64& visits = context.visits[arrival.rank];
    // Instances may have been given up without this member.
    visits = std::max(visits, context.first);
    const u64 at = visits++;
    while (at >= context.first + context.open.size()) context.open.emplace_back();
    Instance& instance = context.open[at - context.first];
    if (instance.present.empty()) instance.part = part;
    instance.alike =
        instance.alike && instance.part.kind == part.kind && same_root(instance.part, part);
    instance.present.push_back(arrival);
    instance.sent += part.sent;
    instance.received += part.received;
    return at;
}

bool CollectiveInstances::is_over(u32 number, u64 at) const {
    const Context& context = contexts_[number];
    return at < context.first || context.open[at - context.first].over;
}

void CollectiveInstances::end(u32 number, u64 at) {
    Context& context = contexts_[number];
    instance(number, at).over = true;
    while (!context.open.empty() && context.open.front().over) {
        context.open.pop_front();
        ++context.first;
    }
}

std::vector<u32> CollectiveInstances::absent(u32 number, u64 at) {
    std::vector<u32> missing;
    for (const u32 rank : contexts_[number].members) {
        const auto& present = instance(number, at).present;
        const bool came = std::any_of(present.begin(), present.end(),
                                      [rank](const Arrival& a) { return a.rank == rank; });
        if (!came) missing.push_back(rank);
    }
    return missing;
}

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
