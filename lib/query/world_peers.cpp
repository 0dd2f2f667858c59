// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/world_peers.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool has_member(const DefinitionIndex& definitions, u64 group, u32 me) {
    const GroupDefinition* found = definitions.group(group);
    if (found == nullptr || found->type != kGroupCommGroup) return false;
    return std::find(found->members.begin(), found->members.end(), u64{me}) != found->members.end();
}

}  // namespace

u32 world_peer(const DefinitionIndex& definitions, u64 communicator, u32 me, u64 peer) {
    const CommunicatorDefinition* comm = definitions.communicator(communicator);
    if (comm == nullptr) return kNone;
    const bool other_side = comm->inter && has_member(definitions, comm->group, me);
    const GroupDefinition* group = definitions.group(other_side ? comm->remote : comm->group);
    if (group == nullptr) return kNone;
    if (!definitions.is_mpi_communicator(communicator)) {
        const bool is_all = is_group_of_all_ranks(group->type);
        if (!is_all && peer >= group->members.size()) return kNone;
        const u64 member = is_all ? peer : group->members[peer];
        return definitions.rank_of_member(group->paradigm, member).value_or(kNone);
    }
    if (group->type == kGroupCommSelf) return peer == 0 ? me : kNone;
    if (peer >= group->members.size()) return kNone;
    if (is_group_of_all_ranks(group->type)) return static_cast<u32>(peer);
    const u64 rank = group->type == kGroupCommGroup ? group->members[peer] : u64{kNone};
    return rank < definitions.world_size() ? static_cast<u32>(rank) : kNone;
}

u32 peer_process(const DefinitionIndex& definitions, u64 communicator, u32 location, u64 peer) {
    const CommunicatorDefinition* const comm = definitions.communicator(communicator);
    const GroupDefinition* const group = comm == nullptr ? nullptr : definitions.group(comm->group);
    if (group == nullptr) return kNone;
    const std::vector<LocationDefinition>& locations = definitions.locations();
    if (group->paradigm == kParadigmMpi || comm->inter) {
        const u32 me = definitions.world_rank(locations[location]).value_or(kNone);
        return world_peer(definitions, communicator, me, peer);
    }
    const u32 member = definitions.member_location(communicator, location, peer);
    return member == kNone ? kNone : definitions.process(locations[member]).value_or(kNone);
}

}  // namespace tracefold
