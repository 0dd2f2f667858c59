// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/communicator_table.hpp"

#include "core/error.hpp"
#include "model/definition_table.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

CommunicatorTable::CommunicatorTable(TraceFile& file, u32 world_rank)
    : CommunicatorTable(file.definitions(), world_rank) {
    drain(*file.global_definitions(), [this](const RecordBatch& batch) { add(batch); });
    finish();
}

CommunicatorTable::CommunicatorTable(const DefinitionIndex& index, u32 world_rank)
    : index_(index), me_(world_rank), all_ranks_(index.world_size()) {
    std::iota(all_ranks_.begin(), all_ranks_.end(), u64{0});
}

void CommunicatorTable::add(const RecordBatch& batch) {
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

/// Groups may be defined after the communicators that use them, but the index knows them all.
void CommunicatorTable::add_communicator(u64 id) {
    const CommunicatorDefinition& definition = *index_.communicator(id);
    id_limit_ = std::max(id_limit_, id + 1);
    CommunicatorView view;
    view.id = id;
    view.parent = definition.parent;
    view.inter = definition.inter;
    view.self_like = !view.inter && is_self_group(definition.group);
    view.members =
        view.self_like ? std::span(all_ranks_).subspan(me_, 1) : ranks_of_group(definition.group);
    if (view.inter) view.remote = ranks_of_group(definition.remote);
    check_ranks(id, view.members);
    check_ranks(id, view.remote);
    if (has_me(view.members)) {
        keep(view);
    } else if (view.inter && has_me(view.remote)) {
        std::swap(view.members, view.remote);
        keep(view);
    } else if (!view.inter && !view.members.empty()) {
        others_.push_back(view);
    }
}

void CommunicatorTable::keep(CommunicatorView view) {
    const bool first = view.parent == kNone && !view.inter;
    if (first && view.self_like && self_ == kNone) self_ = view.id;
    if (first && !view.self_like && world_ == kNone &&
        std::ranges::equal(view.members, all_ranks_)) {
        world_ = view.id;
    }
    if (views_.emplace(view.id, view).second) own_.push_back(view.id);
}

void CommunicatorTable::add_topology(std::span<const u64> fields) {
    CartShape& shape = shapes_[fields[2]];
    shape = {};
    shape.is_part = index_.string(fields[1]).starts_with("Sub ");
    for (const u64 dimension : fields.subspan(4)) {
        const auto [size, periodic] = dimensions_[dimension];
        shape.sizes.push_back(size);
        shape.periodic.push_back(periodic);
    }
}

void CommunicatorTable::finish() {
    for (const auto& [comm, shape] : shapes_) {
        const auto found = views_.find(comm);
        if (found != views_.end()) found->second.cart = &shape;
    }
    for (CommunicatorView& view : others_) {
        const auto shape = shapes_.find(view.id);
        if (shape == shapes_.end() || shape->second.is_part) continue;
        if (!views_.contains(view.parent)) continue;
        view.cart = &shape->second;
        carts_without_me_[view.parent].push_back(view);
    }
    others_ = {};
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
    const GroupDefinition* definition = index_.group(group);
    if (definition == nullptr || definition->paradigm != kParadigmMpi) return {};
    if (definition->type == kGroupCommSelf) return std::span(all_ranks_).subspan(me_, 1);
    if (definition->type == kGroupCommLocations) return all_ranks_;
    return definition->type == kGroupCommGroup ? definition->members : std::span<const u64>();
}

bool CommunicatorTable::is_self_group(u64 group) const {
    const GroupDefinition* definition = index_.group(group);
    return definition != nullptr && definition->paradigm == kParadigmMpi &&
           definition->type == kGroupCommSelf;
}

bool CommunicatorTable::has_me(std::span<const u64> ranks) const {
    // Most groups list ranks in order, so the own position is seldom searched for.
    if (me_ < ranks.size() && ranks[me_] == me_) return true;
    return std::find(ranks.begin(), ranks.end(), u64{me_}) != ranks.end();
}

void CommunicatorTable::check_ranks(u64 id, std::span<const u64> ranks) const {
    if (std::ranges::all_of(ranks, [this](u64 rank) { return rank < world_size(); })) return;
    throw Error(ErrorKind::corrupt, "communicator " + std::to_string(id) +
                                        " has members that are no rank of the trace");
}

}  // namespace tracefold
