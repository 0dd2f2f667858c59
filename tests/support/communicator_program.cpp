// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/communicator_program.hpp"

#include "model/definition_table.hpp"
#include "model/mpi_function.hpp"
#include "otf2/archive_writer.hpp"

#include <algorithm>
#include <filesystem>

namespace tracefold::testing {

namespace {

constexpr u64 kNoId = ~u64{0};
constexpr u64 kUnrooted = 0xFFFFFFFF;
constexpr auto kBarrier = static_cast<u64>(CollectiveKind::barrier);
constexpr auto kCreateHandle = static_cast<u64>(CollectiveKind::create_handle);
constexpr auto kDestroyHandle = static_cast<u64>(CollectiveKind::destroy_handle);
constexpr u64 kBytes = 8;
/// Strings of a DefinitionBuilder have smaller ids.
constexpr u64 kFirstString = 1'000'000;

u64 rank_in(const std::vector<u64>& members, u64 rank) {
    return static_cast<u64>(std::ranges::find(members, rank) - members.begin());
}

}  // namespace

CommunicatorProgram::CommunicatorProgram(u32 ranks)
    : ranks_(ranks), definitions_(ranks), known_(ranks), events_(ranks), open_(ranks) {
    Members all;
    for (u64 rank = 0; rank < ranks; ++rank) all.push_back(rank);
    define(all, kWorld);
    comms_.emplace_back().id = definitions_.self();
    comms_[kWorld].id = definitions_.world();
    for (std::vector<Comm>& known : known_) known = {kWorld, kSelf};
    start_and_end("MPI_Init", EventType::CommCreate, kCreateHandle);
}

CommunicatorProgram::Comm CommunicatorProgram::define(const Members& members, Comm parent) {
    comms_.push_back({members, {}, parent, {}, false, kNoId});
    return comms_.size() - 1;
}

CommunicatorProgram::Members CommunicatorProgram::all_members(Comm comm) const {
    Members all = comms_[comm].members;
    all.insert(all.end(), comms_[comm].remote.begin(), comms_[comm].remote.end());
    return all;
}

u64 CommunicatorProgram::local(u64 rank, Comm comm) {
    std::vector<Comm>& known = known_[rank];
    const auto found = std::ranges::find(known, comm);
    const auto number = static_cast<u64>(found - known.begin());
    if (found == known.end()) known.push_back(comm);
    return number;
}

void CommunicatorProgram::event(u64 rank, EventType type, std::initializer_list<u64> values) {
    u64* out = events_[rank].add(static_cast<u8>(type), ++time_, static_cast<u32>(values.size()));
    std::ranges::copy(values, out);
}

void CommunicatorProgram::enter(u64 rank, const std::string& function) {
    open_[rank] = regions_.try_emplace(function, regions_.size()).first->second;
    event(rank, EventType::Enter, {open_[rank]});
}

void CommunicatorProgram::leave(u64 rank) { event(rank, EventType::Leave, {open_[rank]}); }

/// `made` kNoId: none.
void CommunicatorProgram::create(u64 rank, const std::string& function, Comm made, Comm named) {
    enter(rank, function);
    event(rank, EventType::MpiCollectiveBegin, {});
    if (made != kNoId) event(rank, EventType::CommCreate, {local(rank, made)});
    event(rank, EventType::MpiCollectiveEnd, {kCreateHandle, local(rank, named), kUnrooted, 0, 0});
    leave(rank);
}

std::vector<CommunicatorProgram::Comm> CommunicatorProgram::make(
    const std::string& function, Comm parent, const std::vector<Members>& parts) {
    std::vector<Comm> made;
    for (const Members& part : parts) made.push_back(define(part, parent));
    for (const u64 rank : all_members(parent)) {
        const auto mine = std::ranges::find_if(parts, [rank](const Members& part) {
            return std::ranges::find(part, rank) != part.end();
        });
        const bool any = mine != parts.end();
        const auto number = static_cast<std::size_t>(mine - parts.begin());
        create(rank, function, any ? made[number] : kNoId, parent);
    }
    return made;
}

std::vector<CommunicatorProgram::Comm> CommunicatorProgram::cart(const std::string& function,
                                                                 Comm parent,
                                                                 const std::vector<Members>& parts,
                                                                 const Shape& shape) {
    const std::vector<Comm> made = make(function, parent, parts);
    for (const Comm comm : made) {
        comms_[comm].shape = shape;
        comms_[comm].is_part = function == "MPI_Cart_sub";
    }
    return made;
}

CommunicatorProgram::Comm CommunicatorProgram::create_group(Comm parent, const Members& members) {
    const Comm made = define(members, parent);
    for (const u64 rank : members) create(rank, "MPI_Comm_create_group", made, made);
    return made;
}

CommunicatorProgram::Comm CommunicatorProgram::intercomm(Comm local, Comm remote) {
    const Comm made = define(comms_[local].members, kWorld);
    comms_[made].remote = comms_[remote].members;
    for (const u64 rank : all_members(made)) create(rank, "MPI_Intercomm_create", made, made);
    return made;
}

CommunicatorProgram::Comm CommunicatorProgram::merge(Comm inter) {
    const Comm made = define(all_members(inter), inter);
    for (const u64 rank : all_members(inter)) create(rank, "MPI_Intercomm_merge", made, inter);
    return made;
}

CommunicatorProgram::Comm CommunicatorProgram::existing(const Members& members,
                                                        const Members& remote) {
    const Comm comm = define(members, kWorld);
    comms_[comm].remote = remote;
    return comm;
}

void CommunicatorProgram::barrier(Comm comm) {
    for (const u64 rank : all_members(comm)) {
        enter(rank, "MPI_Barrier");
        event(rank, EventType::MpiCollectiveBegin, {});
        event(rank, EventType::MpiCollectiveEnd, {kBarrier, local(rank, comm), kUnrooted, 0, 0});
        leave(rank);
    }
}

void CommunicatorProgram::exchange(Comm comm) {
    const Definition& it = comms_[comm];
    for (const u64 rank : all_members(comm)) {
        const bool far = std::ranges::find(it.remote, rank) != it.remote.end();
        const Members& side = far ? it.remote : it.members;
        const u64 me = rank_in(side, rank);
        const u64 size = side.size();
        const bool inter = !it.remote.empty();
        enter(rank, "MPI_Sendrecv");
        event(rank, EventType::MpiSend,
              {inter ? me : (me + 1) % size, local(rank, comm), 0, kBytes});
        event(rank, EventType::MpiRecv,
              {inter ? me : (me + size - 1) % size, local(rank, comm), 0, kBytes});
        leave(rank);
    }
}

void CommunicatorProgram::message(u64 from, u64 to) {
    enter(from, "MPI_Send");
    event(from, EventType::MpiSend, {to, kWorld, 1, kBytes});
    leave(from);
    enter(to, "MPI_Recv");
    event(to, EventType::MpiRecv, {from, kWorld, 1, kBytes});
    leave(to);
}

void CommunicatorProgram::free(Comm comm) {
    for (const u64 rank : all_members(comm)) {
        enter(rank, "MPI_Comm_free");
        event(rank, EventType::MpiCollectiveBegin, {});
        event(rank, EventType::CommDestroy, {local(rank, comm)});
        event(rank, EventType::MpiCollectiveEnd,
              {kDestroyHandle, local(rank, comm), kUnrooted, 0, 0});
        leave(rank);
    }
}

void CommunicatorProgram::start_and_end(const std::string& function, EventType record,
                                        u64 operation) {
    for (u64 rank = 0; rank < ranks_; ++rank) {
        enter(rank, function);
        event(rank, EventType::MpiCollectiveBegin, {});
        event(rank, record, {kWorld});
        event(rank, record, {kSelf});
        event(rank, EventType::MpiCollectiveEnd, {operation, kWorld, kUnrooted, 0, 0});
        leave(rank);
    }
}

/// As ranks are united: what rank 0 knows comes first. Communicators of one process share a
/// definition with those of others that have as many.
void CommunicatorProgram::number_definitions() {
    std::vector<u64> self_like;
    for (const std::vector<Comm>& known : known_) {
        std::size_t alone = 0;
        for (const Comm comm : known) {
            Definition& it = comms_[comm];
            if (it.id != kNoId) continue;
            if (it.members.size() + it.remote.size() == 1) {
                if (alone == self_like.size()) self_like.push_back(definitions_.self_like());
                it.id = self_like[alone++];
            } else if (it.remote.empty()) {
                it.id = definitions_.comm(it.members, comms_[it.parent].id);
                if (!it.shape.empty()) definitions_.cart(it.id, it.shape, it.is_part);
            } else {
                it.id = definitions_.inter(it.members, it.remote, comms_[it.parent].id);
            }
        }
    }
}

void CommunicatorProgram::write(const std::string& directory) {
    start_and_end("MPI_Finalize", EventType::CommDestroy, kDestroyHandle);
    number_definitions();
    std::filesystem::create_directories(directory);
    ArchiveInfo info;
    info.name = "traces";
    info.version = {3, 0, 3};
    info.event_chunk_size = u64{1} << 20U;
    info.definition_chunk_size = u64{1} << 22U;
    ArchiveWriter writer(directory, info, {false});
    RecordBatch regions;
    for (const auto& [name, region] : regions_) {
        regions.begin(static_cast<u8>(DefinitionType::String));
        regions.push(kFirstString + region);
        regions.push_text(name);
        regions.begin(static_cast<u8>(DefinitionType::Region));
        for (const u64 value : {region, kFirstString + region, kFirstString + region, u64{0},
                                u64{0}, kParadigmMpi, u64{0}, u64{0}, u64{0}, u64{0}}) {
            regions.push(value);
        }
    }
    writer.write_global_definitions(definitions_.records());
    writer.write_global_definitions(regions);
    for (u64 rank = 0; rank < ranks_; ++rank) {
        RecordBatch tables;
        const std::vector<Comm>& known = known_[rank];
        tables.begin(static_cast<u8>(DefinitionType::MappingTable));
        tables.push(static_cast<u64>(mapping_type(FieldKind::comm)));
        tables.push(0);
        tables.push(known.size());
        for (u64 id = 0; id < known.size(); ++id) tables.push(id);
        for (const Comm comm : known) tables.push(comms_[comm].id);
        writer.write_local_definitions(rank, tables);
        writer.write_events(rank, events_[rank]);
        writer.close_location(rank);
    }
    writer.finish();
}

}  // namespace tracefold::testing
