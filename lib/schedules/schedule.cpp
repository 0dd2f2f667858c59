// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/schedule.hpp"

#include "schedules/schedule_parts.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

using Algorithm = CollectiveAlgorithm;
using Kind = CollectiveKind;

constexpr std::array kWords = {
#define TRACEFOLD_WORD(name, word) std::string_view(word),
    TRACEFOLD_ALGORITHMS(TRACEFOLD_WORD)
#undef TRACEFOLD_WORD
};

// Sizes where one algorithm takes the place of another, close to those of common MPI libraries.
constexpr u64 kLongBroadcast = 12288;
constexpr u64 kLongReduction = 2048;
constexpr u64 kLongGather = 81920;
constexpr u64 kShortAlltoall = 256;
constexpr u64 kLongAlltoall = 32768;
constexpr u32 kFewMembers = 8;

/// Those that fit, the first in place of those that do not.
std::span<const Algorithm> algorithms_of(Kind kind) {
    static constexpr std::array kBarrier = {Algorithm::dissemination, Algorithm::linear,
                                            Algorithm::binomial};
    static constexpr std::array kBroadcast = {Algorithm::binomial, Algorithm::linear,
                                              Algorithm::ring};
    static constexpr std::array kTree = {Algorithm::binomial, Algorithm::linear};
    static constexpr std::array kRooted = {Algorithm::linear, Algorithm::binomial};
    static constexpr std::array kAllreduce = {Algorithm::recursive_doubling, Algorithm::linear,
                                              Algorithm::ring, Algorithm::binomial,
                                              Algorithm::dissemination};
    static constexpr std::array kAllgather = {Algorithm::bruck, Algorithm::linear, Algorithm::ring,
                                              Algorithm::recursive_doubling, Algorithm::binomial};
    static constexpr std::array kAlltoall = {Algorithm::pairwise, Algorithm::linear,
                                             Algorithm::bruck};
    static constexpr std::array kMatrix = {Algorithm::pairwise, Algorithm::linear};
    static constexpr std::array kReduceScatter = {Algorithm::pairwise, Algorithm::linear,
                                                  Algorithm::ring, Algorithm::binomial};
    static constexpr std::array kScan = {Algorithm::recursive_doubling, Algorithm::linear,
                                         Algorithm::ring};
    switch (kind) {
        case Kind::barrier:
            return kBarrier;
        case Kind::bcast:
            return kBroadcast;
        case Kind::reduce:
        case Kind::gather:
        case Kind::scatter:
            return kTree;
        case Kind::gatherv:
        case Kind::scatterv:
            return kRooted;
        case Kind::allreduce:
            return kAllreduce;
        case Kind::allgather:
        case Kind::allgatherv:
            return kAllgather;
        case Kind::alltoall:
            return kAlltoall;
        case Kind::alltoallv:
        case Kind::alltoallw:
            return kMatrix;
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return kReduceScatter;
        case Kind::scan:
        case Kind::exscan:
            return kScan;
        default:
            break;
    }
    return kBarrier;
}

Algorithm automatic(const Exchange& exchange) {
    const u32 size = exchange.size();
    switch (exchange.kind()) {
        case Kind::bcast:
            return exchange.block(0) < kLongBroadcast || size < kFewMembers ? Algorithm::binomial
                                                                            : Algorithm::ring;
        case Kind::allreduce:
            return exchange.block(0) <= kLongReduction || size < kFewMembers
                       ? Algorithm::recursive_doubling
                       : Algorithm::ring;
        case Kind::allgather:
        case Kind::allgatherv:
            if (exchange.blocks(0, size) > kLongGather) return Algorithm::ring;
            return std::has_single_bit(size) ? Algorithm::recursive_doubling : Algorithm::bruck;
        case Kind::alltoall:
            if (exchange.block(0) <= kShortAlltoall && size >= kFewMembers) return Algorithm::bruck;
            return exchange.block(0) <= kLongAlltoall ? Algorithm::linear : Algorithm::pairwise;
        default:
            return algorithms_of(exchange.kind()).front();
    }
}

}  // namespace

std::span<const std::string_view> algorithm_words() { return kWords; }

CollectiveAlgorithm fitting_algorithm(const Exchange& exchange, CollectiveAlgorithm algorithm) {
    if (exchange.is_inter()) return Algorithm::linear;
    if (algorithm == Algorithm::automatic) return automatic(exchange);
    const std::span<const Algorithm> fitting = algorithms_of(exchange.kind());
    if (std::ranges::find(fitting, algorithm) == fitting.end()) return fitting.front();
    const bool gathers = exchange.kind() == Kind::allgather || exchange.kind() == Kind::allgatherv;
    const bool doubles = gathers && algorithm == Algorithm::recursive_doubling;
    return doubles && !std::has_single_bit(exchange.size()) ? Algorithm::bruck : algorithm;
}

void make_schedule(const Exchange& exchange, u32 member, CollectiveAlgorithm algorithm,
                   std::vector<ScheduledMessage>& out) {
    out.clear();
    if (exchange.size() < 2) return;
    const Algorithm chosen = fitting_algorithm(exchange, algorithm);
    const SchedulePart part{exchange, member, exchange.size(), out};
    if (chosen == Algorithm::linear) {
        schedule_direct(part);
    } else if (has_root(exchange.kind())) {
        schedule_rooted(part, chosen);
    } else {
        schedule_all(part, chosen);
    }
}

}  // namespace tracefold
