// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicator_table.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

bool has(std::span<const u64> ranks, u64 rank) {
    // Most groups list ranks in order, so a search is rare.
    if (rank < ranks.size() && ranks[rank] == rank) return true;
    return std::ranges::find(ranks, rank) != ranks.end();
}

}  // namespace

std::vector<u64> CommunicatorView::all_members() const {
    std::vector<u64> all(members.begin(), members.end());
    all.insert(all.end(), remote.begin(), remote.end());
    return all;
}

u32 CommunicatorView::rank_of(u32 world_rank) const {
    return static_cast<u32>(std::ranges::find(members, world_rank) - members.begin());
}

CommunicatorSet::CommunicatorSet(TraceFile& file) : CommunicatorSet(file.definitions()) {
    drain(*file.global_definitions(), [this](const RecordBatch& batch) { add(batch); });
    finish();
}

CommunicatorSet::CommunicatorSet(const DefinitionIndex& index)
    : index_(index),
      all_ranks_(index.world_size()),
      of_rank_(index.world_size()),
      last_group_(index.world_size()) {
    std::iota(all_ranks_.begin(), all_ranks_.end(), u64{0});
}

void CommunicatorSet::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        const std::span<const u64> v = batch.values(head);
        switch (static_cast<DefinitionType>(head.type)) {
            case DefinitionType::Comm:
            case DefinitionType::InterComm:
                add_communicator(v[0]);
                break;
            case DefinitionType::CartDimension:
                dimensions_[v[0]] = {static_cast<u32>(v[2]), static_cast<u8>(v[3] != 0)};
                break;
            case DefinitionType::CartTopology:
                add_topology(v);
                break;
            default:
                break;
        }
    }
}

/// Groups may be defined after the communicators that use them; the index has them all.
void CommunicatorSet::add_communicator(u64 id) {
    const CommunicatorDefinition& definition = *index_.communicator(id);
    id_limit_ = std::max(id_limit_, id + 1);
    CommunicatorView view;
    view.id = id;
    view.parent = definition.parent;
    view.inter = definition.inter;
    view.self_like = !view.inter && is_self_group(definition.group);
    if (!view.self_like) view.members = ranks_of_group(definition.group);
    if (view.inter) view.remote = ranks_of_group(definition.remote);
    check_group(id, view.members);
    check_group(id, view.remote);
    const auto number = static_cast<u32>(views_.size());
    const bool of_all = std::ranges::equal(view.members, all_ranks_);
    if (view.parent == kNone && !view.inter) {
        u64& first = view.self_like ? self_ : world_;
        if (first == kNone && (view.self_like || of_all)) first = id;
    }
    if (view.self_like || of_all) {
        everywhere_.push_back(number);
    } else {
        add_members(view.members, number);
        add_members(view.remote, number);
    }
    views_.push_back(view);
}

void CommunicatorSet::check_group(u64 id, std::span<const u64> ranks) {
    ++groups_;
    for (const u64 rank : ranks) {
        if (rank >= all_ranks_.size()) {
            throw Error(ErrorKind::corrupt,
                        "communicator {} has members that are not ranks of the trace", id);
        }
        if (std::exchange(last_group_[rank], groups_) == groups_) {
            throw Error(ErrorKind::corrupt, "communicator {} has rank {} as a member twice", id,
                        rank);
        }
    }
}

void CommunicatorSet::add_members(std::span<const u64> members, u32 number) {
    for (const u64 rank : members) {
        std::vector<u32>& numbers = of_rank_[rank];
        if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
}

void CommunicatorSet::add_topology(std::span<const u64> fields) {
    CartShape& shape = shapes_[fields[2]];
    shape = {};
    shape.is_part = index_.string(fields[1]).starts_with("Sub ");
    for (const u64 dimension : fields.subspan(4)) {
        const auto [size, periodic] = dimensions_[dimension];
        shape.sizes.push_back(size);
        shape.periodic.push_back(periodic);
    }
}

void CommunicatorSet::finish() {
    for (u32 number = 0; number < views_.size(); ++number) {
        CommunicatorView& view = views_[number];
        const auto shape = shapes_.find(view.id);
        if (shape == shapes_.end()) continue;
        view.cart = &shape->second;
        if (!shape->second.is_part && !view.inter && !view.members.empty())
            carts_.push_back(number);
    }
}

/// Empty for self groups: their member differs on each process.
std::span<const u64> CommunicatorSet::ranks_of_group(u64 group) const {
    const GroupDefinition* definition = index_.group(group);
    if (definition == nullptr || definition->paradigm != kParadigmMpi) return {};
    if (is_group_of_all_ranks(definition->type)) return all_ranks_;
    return definition->type == kGroupCommGroup ? definition->members : std::span<const u64>();
}

bool CommunicatorSet::is_self_group(u64 group) const {
    const GroupDefinition* definition = index_.group(group);
    return definition != nullptr && definition->paradigm == kParadigmMpi &&
           definition->type == kGroupCommSelf;
}

CommunicatorTable::CommunicatorTable(TraceFile& file, u32 world_rank)
    : CommunicatorTable(std::make_shared<CommunicatorSet>(file), world_rank) {}

CommunicatorTable::CommunicatorTable(std::shared_ptr<const CommunicatorSet> all, u32 world_rank)
    : all_(std::move(all)), me_(world_rank) {
    std::vector<u32> mine;
    std::ranges::merge(all_->everywhere_, all_->of_rank_[me_], std::back_inserter(mine));
    for (const u32 number : mine) keep(all_->views_[number]);
    for (const u32 number : all_->carts_) {
        const CommunicatorView& view = all_->views_[number];
        if (views_.contains(view.id) || !views_.contains(view.parent)) continue;
        carts_without_me_[view.parent].push_back(view);
    }
}

void CommunicatorTable::keep(CommunicatorView view) {
    if (view.self_like) view.members = std::span(all_->all_ranks_).subspan(me_, 1);
    if (!has(view.members, me_)) std::swap(view.members, view.remote);
    if (views_.emplace(view.id, view).second) own_.push_back(view.id);
}

const CommunicatorView* CommunicatorTable::find(u64 comm) const {
    const auto found = views_.find(comm);
    return found == views_.end() ? nullptr : &found->second;
}

std::span<const CommunicatorView> CommunicatorTable::carts_without_me(u64 parent) const {
    const auto found = carts_without_me_.find(parent);
    return found == carts_without_me_.end() ? std::span<const CommunicatorView>() : found->second;
}

std::span<const u64> CommunicatorTable::ranks_of_group(u64 group) const {
    if (all_->is_self_group(group)) return std::span(all_->all_ranks_).subspan(me_, 1);
    return all_->ranks_of_group(group);
}

std::vector<CommunicatorTable> communicator_tables(TraceFile& file) {
    const auto all = std::make_shared<CommunicatorSet>(file);
    std::vector<CommunicatorTable> tables;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        tables.emplace_back(all, rank);
    }
    return tables;
}

bool is_cart_order(const CommunicatorView& cart, const CommunicatorView& parent) {
    u64 processes = 1;
    for (const u32 size : cart.cart->sizes) processes *= size;
    const std::size_t members = cart.members.size();
    return processes == members && members <= parent.members.size() &&
           std::ranges::equal(cart.members, parent.members.first(members));
}

bool has_intercommunicators(const CommunicatorTable& table) {
    return std::ranges::any_of(table.own(), [&](u64 comm) { return table.find(comm)->inter; });
}

}  // namespace tracefold
