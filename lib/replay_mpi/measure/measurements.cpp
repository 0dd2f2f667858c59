// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/measure/measurements.hpp"

#include "comm/reduction_tree.hpp"
#include "io/value_bytes.hpp"
#include "replay_mpi/rank_replay.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// The partners that get most, and the sum of the rest.
void add_peers(const Traffic& traffic, RankDetail& detail) {
    for (const auto& [peer, messages] : traffic.peers()) {
        detail.peers.push_back({peer, messages.count, messages.bytes});
    }
    const auto by_bytes = [](const PeerMessages& a, const PeerMessages& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.peer < b.peer;
    };
    std::sort(detail.peers.begin(), detail.peers.end(), by_bytes);
    for (; detail.peers.size() > RankDetail::kMostPeers; detail.peers.pop_back()) {
        ++detail.other_peers.peer;
        detail.other_peers.messages += detail.peers.back().messages;
        detail.other_peers.bytes += detail.peers.back().bytes;
    }
    std::sort(detail.peers.begin(), detail.peers.end(),
              [](const PeerMessages& a, const PeerMessages& b) { return a.peer < b.peer; });
}

/// Calls of all threads of a rank.
std::vector<CallTotals> totals_of(const RankReplay& rank, double tick, double nanosecond) {
    std::vector<CallTotals> totals;
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        CallTotals sum;
        sum.function = static_cast<MpiFunction>(f);
        for (const LocationReplay& location : rank.locations()) {
            const CallCounter& counter = location.counters()[f];
            sum.calls += counter.calls;
            sum.sent += counter.volume.sent;
            sum.received += counter.volume.received;
            sum.recorded += static_cast<double>(counter.recorded_ticks) * tick;
            sum.replayed += static_cast<double>(counter.replayed_nanoseconds) * nanosecond;
        }
        if (sum.calls != 0) totals.push_back(sum);
    }
    return totals;
}

RankDetail detail_of(const TraceFile& file, const RankReplay& rank, bool host) {
    const double tick = file.definitions().tick_rate().seconds_per_tick();
    const double nanosecond = 1e-9 / static_cast<double>(rank.runs().size());
    RankDetail detail;
    detail.rank = rank.world_rank();
    if (host) detail.host = node_name();
    detail.threads = rank.locations().size();
    detail.recorded = rank.recorded_times();
    detail.replayed = rank.replayed_times();
    detail.asked_computation = rank.asked_computation();
    detail.calls = totals_of(rank, tick, nanosecond);
    add_peers(rank.traffic(), detail);
    return detail;
}

void merge(Measurements& measurements, std::string_view bytes) {
    const auto other = from_bytes<Measurements>(bytes, "the report of another process");
    measurements.messages.merge(other.messages);
    measurements.collectives.merge(other.collectives);
    measurements.calls.merge(other.calls);
    measurements.ranks.merge(other.ranks);
    measurements.occupancy.merge(other.occupancy);
}

}  // namespace

Measurements gather_measurements(Communicator& world, const TraceFile& file, const RankReplay& rank,
                                 const ReplayOptions& options) {
    Measurements mine(options.detailed_ranks);
    mine.messages = rank.traffic().messages();
    mine.collectives = rank.traffic().collectives();
    for (const LocationReplay& location : rank.locations()) {
        mine.calls.merge(location.sized_calls());
    }
    mine.ranks.add(detail_of(file, rank, options.hosts));
    mine.occupancy.add(own_processors(), rank.locations().size());
    reduce_tree(world, mine, to_bytes<Measurements>, merge);
    return mine;
}

}  // namespace tracefold
