// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/folding_team.hpp"

#include "core/parallel.hpp"
#include "trace/location_blocks.hpp"

namespace tracefold {

FoldingTeam::FoldingTeam(TraceSource& source, const DefinitionIndex& definitions,
                         const Communicator& comm, u32 threads)
    : definitions_(definitions) {
    const bool shares = comm.size() != 1 && threads == 0;
    const u32 count = shares ? 1 : useful_threads(definitions.locations(), threads);
    for (u32 i = 0; i < count; ++i) {
        Member member;
        member.source = &source;
        if (i != 0) {
            member.own_source = source.clone_reader();
            member.source = member.own_source.get();
        }
        if (member.source == nullptr) break;
        members_.push_back(std::move(member));
    }
    const auto size = static_cast<int>(members_.size());
    for (int i = 0; i < size; ++i) {
        members_[static_cast<std::size_t>(i)].block =
            location_block(definitions.locations(), comm.rank() * size + i, comm.size() * size);
    }
}

u64 FoldingTeam::declared_events() const {
    u64 events = 0;
    for (const Member& member : members_) {
        for (const u32 i : member.block) events += definitions_.locations()[i].event_count;
    }
    return events;
}

void FoldingTeam::run(const std::function<void(Member&)>& work) {
    run_parallel(members_.size(), [&](std::size_t i) { work(members_[i]); });
}

void FoldingTeam::fold(ArchiveFolder::Options options) {
    options.progress = one_at_a_time(options.progress);
    run([&](Member& member) {
        member.folder.emplace(*member.source, definitions_, options);
        for (const u32 location : member.block) member.folder->fold(location);
    });
    for (std::size_t i = 1; i < members_.size(); ++i) {
        ArchiveFolder& other = *members_[i].folder;
        store().merge(other.store().partial());
        timings().merge(other.timings().partial());
        other.store() = {};
        other.timings() = {};
    }
}

u64 FoldingTeam::unknown_records() const {
    u64 records = 0;
    for (const Member& member : members_) records += member.source->unknown_records();
    return records;
}

u64 FoldingTeam::dropped_clock_offsets() const {
    u64 dropped = 0;
    for (const Member& member : members_) dropped += member.folder->dropped_clock_offsets();
    return dropped;
}

}  // namespace tracefold
