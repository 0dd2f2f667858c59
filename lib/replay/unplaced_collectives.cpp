// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/unplaced_collectives.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

void UnplacedCollectives::find_candidates() {
    const std::size_t least = tables_.size() < 2 ? 1 : 2;
    for (const CommunicatorTable& table : tables_) {
        for (const u64 comm : table.own()) {
            const CommunicatorView& view = *table.find(comm);
            const bool is_first =
                !view.members.empty() && view.members.front() == table.world_rank();
            if (view.inter || view.self_like || view.members.size() < least || !is_first) continue;
            candidates_.push_back({comm, view.members});
        }
    }
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
        if (a.members.size() != b.members.size()) return a.members.size() > b.members.size();
        return a.comm < b.comm;
    });
}

void UnplacedCollectives::arrive(const Call& call) {
    if (candidates_.empty()) find_candidates();
    queues_[call.rank].push_back(call);
    ++open_;
}

bool UnplacedCollectives::is_full(const Candidate& candidate) const {
    const auto& first = queues_[candidate.members.front()];
    if (first.empty()) return false;
    return std::ranges::all_of(candidate.members, [&](u64 rank) {
        return !queues_[rank].empty() &&
               queues_[rank].front().said.function == first.front().said.function;
    });
}

UnplacedCollectives::Call UnplacedCollectives::leave(u32 rank) {
    const Call call = queues_[rank].front();
    queues_[rank].pop_front();
    --open_;
    return call;
}

bool UnplacedCollectives::next(bool blocking, Instance& instance) {
    if (empty()) return false;
    for (const Candidate& candidate : candidates_) {
        if (!is_full(candidate)) continue;
        const Call& first = queues_[candidate.members.front()].front();
        if ((first.request == kNoRequest) != blocking) continue;
        instance.comm = candidate.comm;
        instance.calls.clear();
        for (const u64 rank : candidate.members) {
            instance.calls.push_back(leave(static_cast<u32>(rank)));
        }
        return true;
    }
    return false;
}

std::vector<UnplacedCollectives::Call> UnplacedCollectives::give_up() {
    std::map<MpiFunction, std::vector<u32>> waiting;
    for (u32 rank = 0; rank < queues_.size(); ++rank) {
        if (!queues_[rank].empty()) waiting[queues_[rank].front().said.function].push_back(rank);
    }
    const auto least = std::ranges::min_element(
        waiting, {}, [](const auto& entry) { return entry.second.size(); });
    std::vector<Call> calls;
    for (const u32 rank : least->second) calls.push_back(leave(rank));
    return calls;
}

}  // namespace tracefold
