// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/communicator_history.hpp"

#include "model/definition_table.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

constexpr u64 kNever = ~u64{0};

/// The rank's communicators by rising local ids, which follow the order of discovery. Communicators
/// missing in a location's table use their global id.
std::vector<u64> order_of_knowing(TraceFile& file, u32 location, const CommunicatorTable& table) {
    std::map<u64, u64> global;
    drain(*file.local_definitions(location), [&global](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::MappingTable)) continue;
            const std::span<const u64> v = batch.values(head);
            if (v[0] != static_cast<u64>(mapping_type(FieldKind::comm))) continue;
            const u64 size = v[2];
            for (u64 i = 0; i < size; ++i) global[v[3 + i]] = v[3 + size + i];
        }
    });
    std::unordered_set<u64> listed;
    for (const auto& [local, comm] : global) listed.insert(comm);
    const u64 limit = global.empty() ? 0 : global.rbegin()->first;
    for (const u64 comm : table.own()) {
        // Local ids are dense, so only those below the largest one are known to exist.
        const bool exists = comm < limit || !table.find(comm)->self_like;
        if (exists && !listed.contains(comm)) global.try_emplace(comm, comm);
    }
    std::vector<u64> order;
    for (const auto& [local, comm] : global) order.push_back(comm);
    return order;
}

}  // namespace

u64 used_communicator(const Action& action, const CommunicatorTable& table,
                      const FileTable& files) {
    switch (action.kind) {
        case Action::Kind::create_comm:
        case Action::Kind::destroy_comm:
            return kNone;
        case Action::Kind::record:
            break;
        default:
            return action.envelope.comm != kNone ? action.envelope.comm : action.part.comm;
    }
    switch (action.type) {
        case EventType::RmaWinCreate:
            return table.communicator_of_window(action.fields[0]);
        case EventType::RmaCollectiveEnd:
            return table.communicator_of_window(action.fields[2]);
        case EventType::IoCreateHandle: {
            const FileHandleDefinition* file = files.find(action.fields[0]);
            return file == nullptr ? kNone : file->comm;
        }
        default:
            return kNone;
    }
}

void CommunicatorHistory::add(u32 location, const MpiCall& call, bool is_first_location) {
    const bool bare = call.actions.empty();
    if (bare && call.family == CallFamily::comm_create) add_creation(location, call);
    if (bare && call.family == CallFamily::comm_free) {
        frees_.push_back({location, call.index, call.function, creations_.size()});
    }
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) made_.insert(action.part.comm);
        if (action.kind == Action::Kind::destroy_comm) freed_.insert(action.part.comm);
        use(used_communicator(action, *table_, *files_), is_first_location);
    }
}

void CommunicatorHistory::add_creation(u32 location, const MpiCall& call) {
    // Reported as FindingKind::undefined_intercommunicator.
    if (call.function == MpiFunction::Intercomm_create && !has_inter_) return;
    creations_.push_back({location, call.index, call.function, creations_.size()});
}

void CommunicatorHistory::use(u64 comm, bool in_order) {
    if (comm == kNone || table_->is_predefined(comm)) return;
    const auto [found, fresh] = uses_.try_emplace(comm, Uses{kNever, 0});
    if (!in_order) return;
    if (fresh) found->second.first = creations_.size();
    found->second.last = frees_.size();
}

void CommunicatorHistory::finish(const std::vector<u64>& order) {
    std::unordered_set<u64> listed;
    const auto list = [&](u64 comm) {
        const bool own = table_->find(comm) != nullptr;
        if (!own || table_->is_predefined(comm) || made_.contains(comm)) return;
        if (listed.insert(comm).second) unmade_.push_back(comm);
    };
    std::ranges::for_each(order, list);
    for (const u64 comm : table_->own()) {
        if (!table_->find(comm)->self_like || uses(comm) != nullptr) list(comm);
    }
}

const CommunicatorHistory::Uses* CommunicatorHistory::uses(u64 comm) const {
    const auto found = uses_.find(comm);
    return found == uses_.end() ? nullptr : &found->second;
}

CommunicatorHistory read_history(TraceFile& file, const CommunicatorTable& table,
                                 const FileTable& files) {
    CommunicatorHistory history(table, files);
    const std::vector<u32> locations = mpi_locations(file, table.world_rank());
    for (const u32 location : locations) {
        MpiCallReader program(file, location, Times::skip);
        for (MpiCall call; program.next(call);) {
            history.add(location, call, location == locations.front());
        }
    }
    history.finish(order_of_knowing(file, locations.front(), table));
    return history;
}

}  // namespace tracefold
