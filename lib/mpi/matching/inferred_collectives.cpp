// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/inferred_collectives.hpp"

#include "base/bytes.hpp"
#include "file/column_codec.hpp"
#include "fold/collective_sizes.hpp"
#include "fold/structure_pool.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

/// The meaning of a call's metric, as TAU writes it.
enum class Metric : u8 {
    none,             ///< no metric
    share,            ///< bytes of one process (Bcast, Allreduce, Allgather, ...)
    root_share,       ///< share, at the root only (Gather)
    total,            ///< bytes of all processes (Allgatherv)
    root_total,       ///< total, at the root only (Gatherv, Scatterv)
    share_both_ways,  ///< bytes to one partner plus bytes from it (Alltoall)
    all_both_ways,    ///< bytes to all plus bytes from all (Alltoallv)
    first_share,      ///< share of the first process (Reduce_scatter)
    own_share,        ///< share of the caller (Ireduce_scatter)
};

Metric metric_of(MpiFunction function) {
    const std::optional<CollectiveKind> kind = collective_kind(function);
    if (!kind) return Metric::none;
    if (function == MpiFunction::Ialltoall) return Metric::share;
    if (function == MpiFunction::Ireduce_scatter) return Metric::own_share;
    switch (*kind) {
        case CollectiveKind::barrier:
            return Metric::none;
        case CollectiveKind::gather:
            return Metric::root_share;
        case CollectiveKind::gatherv:
        case CollectiveKind::scatterv:
            return Metric::root_total;
        case CollectiveKind::allgatherv:
            return Metric::total;
        case CollectiveKind::alltoall:
            return Metric::share_both_ways;
        case CollectiveKind::alltoallv:
        case CollectiveKind::alltoallw:
            return Metric::all_both_ways;
        case CollectiveKind::reduce_scatter:
            return Metric::first_share;
        default:
            return Metric::share;
    }
}

bool is_told_by_root(Metric metric) {
    return metric == Metric::root_share || metric == Metric::root_total;
}

/// The root is the only member with a metric, or the first of several if only roots have one.
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

/// Shares of a total differ by at most one byte.
u64 part_of(u64 total, u64 size, u64 rank) { return total / size + (rank < total % size ? 1 : 0); }

void set_bytes(Metric metric, u64 most, ExplainedCollective& it) {
    it.is_total = metric == Metric::total || metric == Metric::root_total;
    it.bytes = metric == Metric::share_both_ways ? most / 2 : most;
}

}  // namespace

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
    const MpiFunction function = members.front().function;
    const Metric metric = metric_of(function);
    ExplainedCollective it;
    it.kind = *collective_kind(function);
    it.size = static_cast<u32>(members.size());
    u64 most = 0;
    for (const UnrecordedCall& member : members) {
        it.has_size = it.has_size || member.metric != kNoMetric;
        most = std::max(most, told(member.metric));
    }
    set_bytes(metric, most, it);
    if (has_root(it.kind)) {
        const std::optional<u32> root = find_root(members, metric);
        it.has_root = root.has_value();
        it.root = root.value_or(0);
    } else {
        it.root = kNone;
    }
    if (metric == Metric::all_both_ways || metric == Metric::own_share) {
        for (const UnrecordedCall& member : members) it.metrics.push_back(told(member.metric));
    }
    return it;
}

ExplainedCollective explain_collective(const UnrecordedCall& member, RankView view) {
    ExplainedCollective it = explain_collective(std::span(&member, 1));
    it.size = std::max(view.size, 1U);
    it.has_root = false;
    if (has_root(it.kind)) it.root = 0;
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

namespace {

constexpr u64 kHasSize = 1;
constexpr u64 kHasRoot = 2;

bool is_lost(const Action& action) {
    return action.unrecorded && action.kind != Action::Kind::complete_collective &&
           action.part.comm == kNone;
}

}  // namespace

void InferredCollectives::add(const Action& action) {
    const CollectivePart& part = action.part;
    const u64 facts = (action.has_size ? kHasSize : 0) | (action.has_root ? kHasRoot : 0);
    const u64 values[kColumns] = {part.comm, part.root, part.sent, part.received, facts};
    for (std::size_t i = 0; i < kColumns; ++i) columns_[i].push(values[i]);
    ++count_;
}

std::string InferredCollectives::pack() {
    if (empty()) return {};
    StructurePool pool;
    u32 ids[kColumns];
    for (std::size_t i = 0; i < kColumns; ++i) ids[i] = columns_[i].finish(pool);
    ByteWriter out;
    out.put_varint(count_);
    ColumnWriter columns(out, pool.patterns(), pool.columns());
    for (const u32 id : ids) columns.put_column(id);
    return out.take();
}

InferredCollectives::Cursor::Cursor(const std::string& bytes) {
    if (bytes.empty()) return;
    FieldReader in(bytes, "the inferred collectives of a trace");
    columns_ = std::make_unique<Columns>();
    left_ = in.get_varint();
    ColumnReader reader(in, columns_->patterns, columns_->columns);
    u32 ids[kColumns];
    for (u32& id : ids) id = reader.get_column();
    in.expect_end();
    for (const u32 id : ids) {
        cursors_.emplace_back(FoldedSource{columns_->patterns, columns_->columns}, id);
    }
}

void InferredCollectives::Cursor::apply(std::vector<Action>& actions) {
    if (left_ == 0 && posted_.empty()) return;
    for (Action& action : actions) {
        if (action.unrecorded) explain(action);
    }
    std::erase_if(actions, is_lost);
}

void InferredCollectives::Cursor::explain(Action& action) {
    if (action.kind == Action::Kind::complete_collective) {
        const auto posted = posted_.find(action.request);
        if (posted == posted_.end()) return;
        action.part = posted->second;
        posted_.erase(posted);
        return;
    }
    if (left_ == 0) return;
    --left_;
    u64 values[kColumns];
    for (std::size_t i = 0; i < kColumns; ++i) values[i] = cursors_[i].next();
    action.part.comm = values[0];
    action.part.root = static_cast<u32>(values[1]);
    action.part.sent = values[2];
    action.part.received = values[3];
    action.has_size = (values[4] & kHasSize) != 0;
    action.has_root = (values[4] & kHasRoot) != 0;
    if (action.kind == Action::Kind::post_collective) posted_[action.request] = action.part;
}

}  // namespace tracefold
