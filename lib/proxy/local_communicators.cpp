// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/local_communicators.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u32 kWorld = 0;
constexpr u32 kSelf = 1;

}  // namespace

LocalCommunicators::LocalCommunicators(const CommunicatorTable& table,
                                       const std::vector<u64>& at_start)
    : table_(table), taken_(2, true) {
    if (table.self() != kNone) numbers_[table.self()] = kSelf;
    if (table.world() != kNone) numbers_[table.world()] = kWorld;
    for (const u64 comm : at_start) add(comm);
}

std::optional<u32> LocalCommunicators::find(u64 comm) const {
    const auto found = numbers_.find(comm);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
}

u32 LocalCommunicators::rank_in(u64 comm) {
    const auto known = ranks_.find(comm);
    if (known != ranks_.end()) return known->second;
    return ranks_[comm] = view(comm).rank_of(table_.world_rank());
}

u32 LocalCommunicators::add(u64 comm) {
    const auto known = numbers_.find(comm);
    if (known != numbers_.end()) return known->second;
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    const auto number = static_cast<u32>(free - taken_.begin());
    if (free == taken_.end()) {
        taken_.push_back(true);
    } else {
        *free = true;
    }
    most_ = std::max(most_, number + 1);
    return numbers_[comm] = number;
}

void LocalCommunicators::remove(u64 comm) {
    const auto known = numbers_.find(comm);
    if (known == numbers_.end() || known->second <= kSelf) return;
    taken_[known->second] = false;
    numbers_.erase(known);
}

std::optional<ProxyCreation> LocalCommunicators::read(const MpiCall& call) {
    const MpiFunction function = call.function;
    if (call.actions.empty() || function == MpiFunction::Intercomm_create ||
        function == MpiFunction::Intercomm_merge || function == MpiFunction::Comm_idup ||
        function == MpiFunction::Comm_idup_with_info) {
        return std::nullopt;
    }
    ProxyCreation creation;
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) creation.made = table_.find(action.part.comm);
        if (action.kind == Action::Kind::collective) creation.parent = action.part.comm;
    }
    // Some record the new communicator only.
    const CommunicatorView* made = creation.made;
    if (is_of_members_only(function) || (made != nullptr && made->id == creation.parent)) {
        creation.parent = made == nullptr ? kNone : made->parent;
    }
    // A group of a session has no parent.
    if (function == MpiFunction::Comm_create_from_group && creation.parent == kNone) {
        creation.parent = table_.world();
    }
    const bool is_inter = made != nullptr && made->inter;
    if (is_inter || !find(creation.parent)) return std::nullopt;
    if (is_of_members_only(function) && made == nullptr) return std::nullopt;
    if (function == MpiFunction::Cart_create) creation.shape = shape_of(creation);
    return creation;
}

/// Processes that are left out of a Cartesian communicator take the next shape made without them;
/// they know nothing of a shape of one process.
const CommunicatorView* LocalCommunicators::shape_of(const ProxyCreation& creation) {
    const CommunicatorView* view = creation.made;
    const CommunicatorView* parent = table_.find(creation.parent);
    if (view == nullptr) {
        const auto carts = table_.carts_without_me(creation.parent);
        const std::size_t next = nulls_[creation.parent]++;
        if (next < carts.size()) view = &carts[next];
    }
    if (view == nullptr || parent == nullptr || view->cart == nullptr) return nullptr;
    const bool hidden = view->self_like && parent->members.size() > 1;
    return hidden || !is_cart_order(*view, *parent) ? nullptr : view;
}

}  // namespace tracefold
