// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/unrecorded_collective.hpp"

#include "mpi_calls/collective_sizes.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

/// What the metric of a call says, as TAU writes it.
enum class Metric : u8 {
    none,             ///< there is none
    share,            ///< bytes of one process (Bcast, Allreduce, Allgather, ...)
    root_share,       ///< the same, at the root only (Gather)
    total,            ///< bytes of all processes (Allgatherv)
    root_total,       ///< the same, at the root only (Gatherv, Scatterv)
    share_both_ways,  ///< what goes to one partner and what comes from it (Alltoall)
    all_both_ways,    ///< what goes to all and what comes from all (Alltoallv)
    first_share,      ///< what the first process gets (Reduce_scatter)
    own_share,        ///< what the caller gets (Ireduce_scatter)
};

struct Known {
    MpiFunction function;
    CollectiveKind kind;
    Metric metric;
};

constexpr Known kKnown[] = {
    {MpiFunction::Barrier, CollectiveKind::barrier, Metric::none},
    {MpiFunction::Bcast, CollectiveKind::bcast, Metric::share},
    {MpiFunction::Gather, CollectiveKind::gather, Metric::root_share},
    {MpiFunction::Gatherv, CollectiveKind::gatherv, Metric::root_total},
    {MpiFunction::Scatter, CollectiveKind::scatter, Metric::share},
    {MpiFunction::Scatterv, CollectiveKind::scatterv, Metric::root_total},
    {MpiFunction::Allgather, CollectiveKind::allgather, Metric::share},
    {MpiFunction::Allgatherv, CollectiveKind::allgatherv, Metric::total},
    {MpiFunction::Alltoall, CollectiveKind::alltoall, Metric::share_both_ways},
    {MpiFunction::Alltoallv, CollectiveKind::alltoallv, Metric::all_both_ways},
    {MpiFunction::Alltoallw, CollectiveKind::alltoallw, Metric::all_both_ways},
    {MpiFunction::Allreduce, CollectiveKind::allreduce, Metric::share},
    {MpiFunction::Reduce, CollectiveKind::reduce, Metric::share},
    {MpiFunction::Reduce_scatter, CollectiveKind::reduce_scatter, Metric::first_share},
    {MpiFunction::Reduce_scatter_block, CollectiveKind::reduce_scatter_block, Metric::share},
    {MpiFunction::Scan, CollectiveKind::scan, Metric::share},
    {MpiFunction::Exscan, CollectiveKind::exscan, Metric::share},
    {MpiFunction::Ibarrier, CollectiveKind::barrier, Metric::none},
    {MpiFunction::Ibcast, CollectiveKind::bcast, Metric::share},
    {MpiFunction::Igather, CollectiveKind::gather, Metric::root_share},
    {MpiFunction::Igatherv, CollectiveKind::gatherv, Metric::root_total},
    {MpiFunction::Iscatter, CollectiveKind::scatter, Metric::share},
    {MpiFunction::Iscatterv, CollectiveKind::scatterv, Metric::root_total},
    {MpiFunction::Iallgather, CollectiveKind::allgather, Metric::share},
    {MpiFunction::Iallgatherv, CollectiveKind::allgatherv, Metric::total},
    {MpiFunction::Ialltoall, CollectiveKind::alltoall, Metric::share},
    {MpiFunction::Ialltoallv, CollectiveKind::alltoallv, Metric::all_both_ways},
    {MpiFunction::Ialltoallw, CollectiveKind::alltoallw, Metric::all_both_ways},
    {MpiFunction::Iallreduce, CollectiveKind::allreduce, Metric::share},
    {MpiFunction::Ireduce, CollectiveKind::reduce, Metric::share},
    {MpiFunction::Ireduce_scatter, CollectiveKind::reduce_scatter, Metric::own_share},
    {MpiFunction::Ireduce_scatter_block, CollectiveKind::reduce_scatter_block, Metric::share},
    {MpiFunction::Iscan, CollectiveKind::scan, Metric::share},
    {MpiFunction::Iexscan, CollectiveKind::exscan, Metric::share},
};

const Known* find(MpiFunction function) {
    const auto found = std::ranges::find(kKnown, function, &Known::function);
    return found == std::end(kKnown) ? nullptr : found;
}

Metric metric_of(MpiFunction function) {
    const Known* known = find(function);
    return known == nullptr ? Metric::none : known->metric;
}

bool is_rooted(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::bcast:
        case CollectiveKind::gather:
        case CollectiveKind::gatherv:
        case CollectiveKind::scatter:
        case CollectiveKind::scatterv:
        case CollectiveKind::reduce:
            return true;
        default:
            return false;
    }
}

bool is_told_by_root(Metric metric) {
    return metric == Metric::root_share || metric == Metric::root_total;
}

/// Who alone has a metric is the root, and so is the first of several that have one where only
/// roots do.
std::optional<u32> find_root(std::span<const UnrecordedCall> members, Metric metric) {
    std::optional<u32> first;
    u64 tellers = 0;
    for (u32 rank = 0; rank < members.size(); ++rank) {
        if (members[rank].metric == kNoMetric) continue;
        if (!first) first = rank;
        ++tellers;
    }
    const bool alone = tellers == 1 && members.size() > 1;
    return alone || is_told_by_root(metric) ? first : std::nullopt;
}

u64 told(u64 metric) { return metric == kNoMetric ? 0 : metric; }

/// The parts of a whole differ by one byte at most.
u64 part_of(u64 total, u64 size, u64 rank) { return total / size + (rank < total % size ? 1 : 0); }

void set_bytes(Metric metric, u64 most, ExplainedCollective& it) {
    it.is_total = metric == Metric::total || metric == Metric::root_total;
    it.bytes = metric == Metric::share_both_ways ? most / 2 : most;
}

}  // namespace

std::optional<CollectiveKind> collective_kind(MpiFunction function) {
    const Known* known = find(function);
    if (known == nullptr) return std::nullopt;
    return known->kind;
}

bool needs_other_members(MpiFunction function) {
    const Metric metric = metric_of(function);
    return is_told_by_root(metric) || metric == Metric::own_share;
}

bool has_equal_metrics(MpiFunction function) {
    const Metric metric = metric_of(function);
    return metric != Metric::none && metric != Metric::all_both_ways &&
           !needs_other_members(function);
}

ExplainedCollective explain_collective(std::span<const UnrecordedCall> members) {
    const Known& known = *find(members.front().function);
    ExplainedCollective it;
    it.kind = known.kind;
    it.size = static_cast<u32>(members.size());
    u64 most = 0;
    for (const UnrecordedCall& member : members) {
        it.has_size = it.has_size || member.metric != kNoMetric;
        most = std::max(most, told(member.metric));
    }
    set_bytes(known.metric, most, it);
    if (is_rooted(it.kind)) {
        const std::optional<u32> root = find_root(members, known.metric);
        it.has_root = root.has_value();
        it.root = root.value_or(0);
    } else {
        it.root = kNone;
    }
    if (known.metric == Metric::all_both_ways || known.metric == Metric::own_share) {
        for (const UnrecordedCall& member : members) it.metrics.push_back(told(member.metric));
    }
    return it;
}

ExplainedCollective explain_collective(const UnrecordedCall& member, RankView view) {
    ExplainedCollective it = explain_collective(std::span(&member, 1));
    it.size = std::max(view.size, 1U);
    it.has_root = false;
    if (is_rooted(it.kind)) it.root = 0;
    if (is_told_by_root(metric_of(member.function)) && member.metric != kNoMetric) {
        it.root = view.rank;
        it.has_root = true;
    }
    if (!it.metrics.empty()) it.metrics.assign(it.size, it.metrics.front());
    return it;
}

Contribution ExplainedCollective::of_member(u32 rank) const {
    const u64 share = is_total ? part_of(bytes, size, rank) : bytes;
    const bool is_root = rank == root;
    switch (kind) {
        case CollectiveKind::barrier:
            return {};
        case CollectiveKind::gatherv:
            return {share, is_root ? bytes : 0};
        case CollectiveKind::scatterv:
            return {is_root ? bytes : 0, share};
        case CollectiveKind::allgatherv:
            return {share * size, bytes};
        case CollectiveKind::alltoallv:
        case CollectiveKind::alltoallw:
            return {metrics[rank] - metrics[rank] / 2, metrics[rank] / 2};
        case CollectiveKind::reduce_scatter: {
            if (metrics.empty()) return {bytes * size, bytes * size};
            return {std::accumulate(metrics.begin(), metrics.end(), u64{0}), metrics[rank] * size};
        }
        default: {
            FoldedSizes folded;
            const u64 operation = static_cast<u64>(kind);
            const RankView view{rank, size};
            folded.payload = payload_code(operation, share);
            const CollectiveSizes sizes = unfold_sizes(operation, root, view, folded);
            return {sizes.sent, sizes.received};
        }
    }
}

}  // namespace tracefold
