// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collective_instances.hpp"

#include "mpi/collective_arguments.hpp"

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

namespace {

NeedBasis basis_of(const CollectiveInstances::Context& context,
                   const CollectiveInstances::Instance& instance) {
    const CollectiveKind kind = instance.part.kind;
    // MPI allows libraries to free a communicator without waiting, and does not record pairs.
    if (is_matrix(kind) || (destroys_handle(kind) && !context.is_of_window())) {
        return NeedBasis::unknown;
    }
    const bool is_certain = is_communication(kind) && !context.is_of_window() && instance.alike &&
                            std::ranges::none_of(instance.present, [](const auto& arrival) {
                                return arrival.inferred;
                            });
    return is_certain ? NeedBasis::semantics : NeedBasis::custom;
}

}  // namespace

CollectiveNeeds::CollectiveNeeds(const CollectiveInstances::Context& context,
                                 const CollectiveInstances::Instance& instance)
    : need_(context.is_of_window() ? CollectiveNeed::everybody
                                   : collective_need(instance.part.kind)),
      basis_(basis_of(context, instance)),
      first_side_(context.first_side),
      across_(context.is_inter() && is_communication(instance.part.kind)),
      gives_(context.members.size(), 0),
      takes_(context.members.size(), 0) {
    if (!context.is_inter()) root_ = instance.part.root;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        if (arrival.root == kRootSelf) root_ = static_cast<u32>(context.member(arrival.rank));
    }
    if (root_ >= size()) {
        root_ = kNone;
        // Without a known root, any member may be it.
        if (need_ == CollectiveNeed::root || need_ == CollectiveNeed::members) {
            need_ = CollectiveNeed::everybody;
            basis_ = NeedBasis::custom;
        }
    }
    find_givers(context, instance);
    if (is_matrix(instance.part.kind)) note_sums(context, instance);
}

void CollectiveNeeds::find_givers(const CollectiveInstances::Context& context,
                                  const CollectiveInstances::Instance& instance) {
    const CollectiveKind kind = instance.part.kind;
    const bool moves = moves_data(kind) && !context.is_of_window();
    if (moves && instance.sent == 0 && instance.received == 0) return;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        const std::size_t member = context.member(arrival.rank);
        if (member == size()) continue;
        // Otherwise all members have one count, and data moves for all or none.
        const bool counts = moves && is_vector_collective(kind);
        gives_[member] = !counts || arrival.sent != 0 || member == root_ ? 1 : 0;
        takes_[member] = !counts || arrival.received != 0 ? 1 : 0;
    }
}

/// Only the sums over all partners of a member are recorded. Two members certainly exchange data if
/// these sums exceed the total.
void CollectiveNeeds::note_sums(const CollectiveInstances::Context& context,
                                const CollectiveInstances::Instance& instance) {
    if (context.is_inter() || instance.sent != instance.received) return;
    u64 most_sent = 0;
    u64 most_received = 0;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        most_sent = std::max(most_sent, arrival.sent);
        most_received = std::max(most_received, arrival.received);
    }
    total_ = instance.sent;
    if (most_sent <= total_ - std::min(total_, most_received)) return;
    sent_.assign(size(), 0);
    received_.assign(size(), 0);
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        const std::size_t member = context.member(arrival.rank);
        if (member == size()) continue;
        sent_[member] = arrival.sent;
        received_[member] = arrival.received;
    }
}

std::vector<u64> CollectiveNeeds::ready_times(std::span<const u64> arrivals) const {
    std::vector<u64> ready(arrivals.begin(), arrivals.end());
    switch (need_) {
        case CollectiveNeed::everybody: {
            u64 last[2] = {0, 0};
            for (std::size_t i = 0; i < size(); ++i) {
                if (gives(i)) last[side(i)] = std::max(last[side(i)], arrivals[i]);
            }
            const u64 last_of_all = std::max(last[0], last[1]);
            for (std::size_t i = 0; i < size(); ++i) {
                if (takes(i))
                    ready[i] = std::max(ready[i], across_ ? last[1 - side(i)] : last_of_all);
            }
            break;
        }
        case CollectiveNeed::root:
            for (std::size_t i = 0; i < size(); ++i) {
                if (takes(i) && is_needed(i, root_)) ready[i] = std::max(ready[i], arrivals[root_]);
            }
            break;
        case CollectiveNeed::members:
            for (std::size_t i = 0; i < size(); ++i) {
                if (is_needed(root_, i)) ready[root_] = std::max(ready[root_], arrivals[i]);
            }
            break;
        case CollectiveNeed::lower:
            for (std::size_t i = 1; i < size(); ++i) {
                if (takes(i)) ready[i] = std::max(ready[i], ready[i - 1]);
            }
            break;
    }
    return ready;
}

std::vector<u64> CollectiveNeeds::certain_times(std::span<const u64> arrivals) const {
    if (basis_ != NeedBasis::unknown) return ready_times(arrivals);
    std::vector<u64> ready(arrivals.begin(), arrivals.end());
    for (std::size_t i = 0; i < received_.size(); ++i) {
        for (std::size_t other = 0; other < sent_.size(); ++other) {
            if (sent_[other] <= total_ - received_[i]) continue;
            ready[i] = std::max(ready[i], arrivals[other]);
        }
    }
    return ready;
}

}  // namespace tracefold
