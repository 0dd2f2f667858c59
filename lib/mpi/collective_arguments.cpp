// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collective_arguments.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

/// Splits `total` equally among all processes, or, if only that is exact, among all but the caller.
UniformArguments equal_parts(u64 total, u64 parts) {
    if (parts == 0) return {};
    if (total % parts == 0) return {total / parts, total / parts, false};
    if (parts > 1 && total % (parts - 1) == 0) {
        return {total / (parts - 1), total / (parts - 1), true};
    }
    return {total / parts, total / parts, false};
}

u64 part_of(u64 total, u64 parts) { return parts == 0 ? 0 : total / parts; }

/// Scan: (N-r)*c sent and (r+1)*c received; in place (N-r-1)*c and r*c.
UniformArguments scan_arguments(const CollectivePart& part, const CollectiveScope& scope) {
    const u64 sum = part.sent + part.received;
    const u64 size = part_of(sum, u64{scope.size} + 1);
    if (size * (u64{scope.size} + 1) == sum && size * (u64{scope.rank} + 1) == part.received)
        return {size, size, false};
    const u64 shared = part_of(sum, u64{scope.size} - 1);
    return {shared, shared, true};
}

bool is_root(const CollectivePart& part, const CollectiveScope& scope) {
    return scope.inter ? part.root == kRootSelf : part.root == scope.rank;
}

/// The root has one share per partner, the others their own.
UniformArguments rooted_arguments(u64 own, u64 total, const CollectiveScope& scope, bool root) {
    if (!root) return {own, own, false};
    if (!scope.inter && own == 0 && total != 0) {
        const u64 share = part_of(total, u64{scope.partners} - 1);
        return {share, share, true};
    }
    const u64 share = scope.inter ? part_of(total, scope.partners) : own;
    return {share, share, false};
}

u64 sum_of(std::span<const Contribution> group, u64 Contribution::*size) {
    return std::accumulate(group.begin(), group.end(), u64{0},
                           [size](u64 sum, const Contribution& one) { return sum + one.*size; });
}

[[noreturn]] void fail_contradiction() {
    throw Error(ErrorKind::corrupt,
                "the sizes that the processes of a collective recorded contradict each other");
}

/// Allgatherv, Reduce_scatter: every process records `parts` times its own share, and the sum of
/// all shares; in place both without the share for itself.
void shares_of_all(std::span<const Contribution> group, u64 Contribution::*multiple,
                   u64 Contribution::*sum, u64 parts, std::vector<u64>& shares, bool& in_place) {
    const auto fits = [&](u64 divisor, bool without_own) {
        if (divisor == 0) return false;
        u64 total = 0;
        for (const Contribution& one : group) {
            if (one.*multiple % divisor != 0) return false;
            total += one.*multiple / divisor;
        }
        return std::all_of(group.begin(), group.end(), [&](const Contribution& one) {
            return one.*sum == total - (without_own ? one.*multiple / divisor : 0);
        });
    };
    in_place = !fits(parts, false) && fits(parts - 1, true);
    if (!in_place && !fits(parts, false)) fail_contradiction();
    for (const Contribution& one : group) {
        shares.push_back(one.*multiple / (in_place ? parts - 1 : parts));
    }
}

/// One row of a matrix with the given sums of rows and columns: an equal part everywhere, the rest
/// where the intervals of rows and columns along the total overlap (north-west corner rule).
void matrix_row(std::span<const Contribution> rows, u64 Contribution::*row_sum,
                std::span<const Contribution> columns, u64 Contribution::*column_sum,
                std::size_t row, std::vector<u64>& out) {
    u64 even = ~u64{0};
    for (const Contribution& one : rows) even = std::min(even, one.*row_sum / columns.size());
    for (const Contribution& one : columns) even = std::min(even, one.*column_sum / rows.size());
    u64 begin = 0;
    for (std::size_t i = 0; i < row; ++i) begin += rows[i].*row_sum - even * columns.size();
    const u64 end = begin + rows[row].*row_sum - even * columns.size();
    u64 column_begin = 0;
    for (const Contribution& column : columns) {
        const u64 column_end = column_begin + column.*column_sum - even * rows.size();
        const u64 first = std::max(begin, column_begin);
        const u64 last = std::min(end, column_end);
        out.push_back(even + (last > first ? last - first : 0));
        column_begin = column_end;
    }
}

void all_to_all(const CollectiveScope& scope, std::span<const Contribution> own_group,
                std::span<const Contribution> other_group, VectorArguments& arguments) {
    if (sum_of(own_group, &Contribution::sent) != sum_of(other_group, &Contribution::received) ||
        sum_of(own_group, &Contribution::received) != sum_of(other_group, &Contribution::sent)) {
        fail_contradiction();
    }
    matrix_row(own_group, &Contribution::sent, other_group, &Contribution::received, scope.rank,
               arguments.send);
    matrix_row(own_group, &Contribution::received, other_group, &Contribution::sent, scope.rank,
               arguments.receive);
}

void all_gather(const CollectivePart& part, const CollectiveScope& scope,
                std::span<const Contribution> other_group, VectorArguments& arguments) {
    if (!scope.inter) {
        shares_of_all(other_group, &Contribution::sent, &Contribution::received, scope.partners,
                      arguments.receive, arguments.in_place);
        arguments.own = arguments.receive[scope.rank];
        return;
    }
    arguments.own = part_of(part.sent, scope.partners);
    for (const Contribution& one : other_group) {
        arguments.receive.push_back(part_of(one.sent, scope.size));
    }
}

void reduce_scatter(const CollectiveScope& scope, std::span<const Contribution> own_group,
                    VectorArguments& arguments) {
    if (!scope.inter) {
        shares_of_all(own_group, &Contribution::received, &Contribution::sent, scope.partners,
                      arguments.receive, arguments.in_place);
        return;
    }
    for (const Contribution& one : own_group) {
        arguments.receive.push_back(part_of(one.received, scope.partners));
    }
}

/// The counts of Gatherv and Scatterv matter at the root. The root's own part in place counts as 0.
void rooted(const CollectivePart& part, const CollectiveScope& scope,
            std::span<const Contribution> other_group, u64 Contribution::*size, u64 own,
            std::vector<u64>& counts, VectorArguments& arguments) {
    arguments.own = part.root == kRootThisGroup ? 0 : own;
    if (!is_root(part, scope)) return;
    for (const Contribution& one : other_group) counts.push_back(one.*size);
}

}  // namespace

bool is_vector_collective(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::gatherv:
        case CollectiveKind::scatterv:
        case CollectiveKind::allgatherv:
        case CollectiveKind::alltoallv:
        case CollectiveKind::alltoallw:
        case CollectiveKind::reduce_scatter:
            return true;
        default:
            return false;
    }
}

UniformArguments uniform_arguments(const CollectivePart& part, const CollectiveScope& scope) {
    switch (part.kind) {
        case CollectiveKind::bcast:
            if (!scope.inter || !is_root(part, scope)) return {part.received, part.received, false};
            return {part_of(part.sent, scope.partners), part_of(part.sent, scope.partners), false};
        case CollectiveKind::gather:
        case CollectiveKind::reduce:
            return rooted_arguments(part.sent, part.received, scope, is_root(part, scope));
        case CollectiveKind::scatter:
            return rooted_arguments(part.received, part.sent, scope, is_root(part, scope));
        case CollectiveKind::allgather:
        case CollectiveKind::alltoall:
        case CollectiveKind::allreduce:
        case CollectiveKind::reduce_scatter_block:
            if (scope.inter) {
                return {part_of(part.sent, scope.partners), part_of(part.received, scope.partners),
                        false};
            }
            return equal_parts(part.sent, scope.partners);
        case CollectiveKind::scan:
            return scan_arguments(part, scope);
        case CollectiveKind::exscan: {
            const u64 size = part_of(part.sent + part.received, u64{scope.size} - 1);
            return {size, size, false};
        }
        default:
            return {};
    }
}

void vector_arguments(const CollectivePart& part, const CollectiveScope& scope,
                      std::span<const Contribution> own_group,
                      std::span<const Contribution> other_group, VectorArguments& arguments) {
    arguments.send.clear();
    arguments.receive.clear();
    arguments.own = 0;
    arguments.in_place = false;
    switch (part.kind) {
        case CollectiveKind::gatherv:
            rooted(part, scope, other_group, &Contribution::sent, part.sent, arguments.receive,
                   arguments);
            break;
        case CollectiveKind::scatterv:
            rooted(part, scope, other_group, &Contribution::received, part.received, arguments.send,
                   arguments);
            break;
        case CollectiveKind::allgatherv:
            all_gather(part, scope, other_group, arguments);
            break;
        case CollectiveKind::alltoallv:
        case CollectiveKind::alltoallw:
            all_to_all(scope, own_group, other_group, arguments);
            break;
        case CollectiveKind::reduce_scatter:
            reduce_scatter(scope, own_group, arguments);
            break;
        default:
            break;
    }
}

const CollectiveScope& CollectiveScopes::add(u64 comm) {
    const CommunicatorView* view = table_.find(comm);
    if (view == nullptr) {
        throw Error(ErrorKind::corrupt, "a collective takes place on communicator " +
                                            std::to_string(comm) +
                                            ", which does not contain its process");
    }
    const auto size = static_cast<u32>(view->members.size());
    const auto partners = view->inter ? static_cast<u32>(view->remote.size()) : size;
    return scopes_[comm] = {view->rank_of(table_.world_rank()), size, partners, view->inter};
}

}  // namespace tracefold
