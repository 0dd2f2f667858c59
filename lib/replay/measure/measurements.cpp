// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/measure/measurements.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "replay/detail/rank_replay.hpp"
#include "replay/replay_world.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <climits>

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 14;  // a million processors
constexpr std::size_t kWordBits = 64;

/// Converts the kernel's set from machine words to words of 64 bits.
std::vector<u64> words_of(const cpu_set_t* set, std::size_t bytes) {
    std::vector<u64> words;
    for (std::size_t i = 0; i < CHAR_BIT * bytes; ++i) {
        if (!CPU_ISSET_S(i, bytes, set)) continue;
        words.resize(i / kWordBits + 1);
        words.back() |= u64{1} << i % kWordBits;
    }
    return words;
}

std::vector<u64> own_words() {
    for (std::size_t count = 16; count <= kMostWords; count *= 2) {
        std::vector<u64> memory(count);
        auto* set = reinterpret_cast<cpu_set_t*>(memory.data());
        const std::size_t bytes = count * sizeof(u64);
        if (::sched_getaffinity(0, bytes, set) == 0) return words_of(set, bytes);
        if (errno != EINVAL) break;  // EINVAL: the kernel has more processors
    }
    return {};
}

/// Precondition: both are of one node.
bool contains(const ProcessorSet& set, const ProcessorSet& other) {
    for (std::size_t i = 0; i < other.words.size(); ++i) {
        const u64 here = i < set.words.size() ? set.words[i] : 0;
        if ((other.words[i] & ~here) != 0) return false;
    }
    return true;
}

void unite(ProcessorSet& set, const ProcessorSet& other) {
    set.words.resize(std::max(set.words.size(), other.words.size()));
    for (std::size_t i = 0; i < other.words.size(); ++i) set.words[i] |= other.words[i];
}

}  // namespace

u64 ProcessorSet::size() const {
    u64 size = 0;
    for (const u64 word : words) size += static_cast<u64>(std::popcount(word));
    return size;
}

ProcessorSet own_processors() {
    return {node_name(), own_words(), static_cast<u64>(::sysconf(_SC_NPROCESSORS_ONLN))};
}

Occupancy::Users& Occupancy::Users::operator+=(const Users& other) {
    ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
    threads += other.threads;
    return *this;
}

void Occupancy::add(const ProcessorSet& processors, u64 rank, u64 threads) {
    users_[processors] += {{rank}, threads};
}

void Occupancy::merge(const Occupancy& other) {
    for (const auto& [processors, users] : other.users_) users_[processors] += users;
}

Occupancy::Users Occupancy::users_within(const ProcessorSet& set) const {
    Users sum;
    for (auto it = users_.lower_bound({set.node, {}, 0});
         it != users_.end() && it->first.node == set.node; ++it) {
        if (!it->first.words.empty() && contains(set, it->first)) sum += it->second;
    }
    return sum;
}

std::map<std::string, std::vector<ProcessorSet>> Occupancy::sets_of_nodes() const {
    std::map<std::string, std::vector<ProcessorSet>> sets;
    for (const auto& [processors, users] : users_) sets[processors.node].push_back(processors);
    for (auto& [node, of_node] : sets) {
        ProcessorSet all = of_node.front();
        for (const ProcessorSet& set : of_node) unite(all, set);
        of_node.push_back(std::move(all));
    }
    return sets;
}

std::optional<Oversubscription> Occupancy::oversubscription() const {
    Oversubscription worst;
    for (const auto& [node, sets] : sets_of_nodes()) {
        bool crowded = false;
        for (const ProcessorSet& set : sets) {
            const Users users = users_within(set);
            const u64 processors = set.size();
            if (users.threads <= processors) continue;
            crowded = true;
            if (users.threads * worst.processors < worst.threads * processors) continue;
            worst.ranks = users.ranks.size();
            worst.threads = users.threads;
            worst.processors = processors;
        }
        ++worst.nodes;
        worst.oversubscribed_nodes += crowded ? 1 : 0;
    }
    if (worst.oversubscribed_nodes == 0) return std::nullopt;
    return worst;
}

namespace {

/// Adds the partners with the most bytes, and the sum of the rest.
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

/// Totals over all threads of a rank.
std::vector<CallTotals> totals_of(const RankReplay& rank, double tick, double nanosecond) {
    std::vector<CallTotals> totals;
    for (std::size_t f = 0; f < kMpiFunctions; ++f) {
        CallTotals sum;
        sum.function = static_cast<MpiFunction>(f);
        for (const LocationReplay& location : rank.locations()) {
            const CallCounter& counter = location.counters()[f];
            sum.calls += counter.calls;
            sum.not_issued += counter.calls - counter.issued / rank.runs().size();
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
    measurements.ranks.merge(other.ranks);
    measurements.occupancy.merge(other.occupancy);
}

}  // namespace

std::vector<MeasuredCalls> gather_calls(Communicator& world, RankReplay& rank) {
    SizedCalls calls = rank.take_calls();
    reduce_tree(world, calls, to_bytes<SizedCalls>, [](SizedCalls& mine, std::string_view bytes) {
        mine.merge(from_bytes<SizedCalls>(bytes, "the calls of another process"));
    });
    return calls.measured();
}

Measurements gather_measurements(Communicator& world, const TraceFile& file, const RankReplay& rank,
                                 const ReplayOptions& options) {
    Measurements mine(options.detailed_ranks);
    mine.messages = rank.traffic().messages();
    mine.collectives = rank.traffic().collectives();
    mine.ranks.add(detail_of(file, rank, options.hosts));
    mine.occupancy.add(own_processors(), rank.world_rank(), rank.locations().size());
    reduce_tree(world, mine, to_bytes<Measurements>, merge);
    return mine;
}

}  // namespace tracefold
