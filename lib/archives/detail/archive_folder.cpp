// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/archive_folder.hpp"

#include "archives/detail/event_folder.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "file/location_blocks.hpp"
#include "file/trace_file.hpp"
#include "model/definition_table.hpp"

#include <utility>

namespace tracefold {

RecordBatch without_clock_offsets(const RecordBatch& batch) {
    RecordBatch kept;
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::ClockOffset)) kept.append(batch, head);
    }
    return kept;
}

ArchiveFolder::ArchiveFolder(TraceSource& source, const DefinitionIndex& definitions,
                             Options options)
    : source_(source),
      definitions_(definitions),
      options_(std::move(options)),
      times_(std::make_unique<TimeFolder>(
          options_.timing, options_.time_error_ppm,
          options_.packing.portable ? TickCoding::plain : TickCoding::modelled)),
      ticks_(options_.spill_directory) {}

void ArchiveFolder::fold(u32 location) {
    const u64 id = definitions_.locations()[location].id;
    MappingTables tables;
    LocationFacts facts;
    facts.has_local_definition_file = source_.has_local_definitions(id) ? 1 : 0;
    facts.has_event_file = source_.has_events(id) ? 1 : 0;
    if (facts.has_local_definition_file != 0) {
        facts.local_definitions = fold_local_definitions(location, tables);
    }
    if (facts.has_event_file != 0) {
        fold_events(location, tables, facts);
    } else {
        source_.read_events(id, [](const RecordBatch&) {});  // refuses missing files
    }
    store_.set_facts(location, facts);
}

u64 ArchiveFolder::fold_local_definitions(u32 location, MappingTables& tables) {
    const u64 id = definitions_.locations()[location].id;
    return tracefold::fold_local_definitions(store_, location, [&](const BatchSink& fold) {
        source_.read_local_definitions(id, [&](const RecordBatch& batch) {
            tables.add(batch);
            if (keeps_every_time(options_.timing)) return fold(batch);
            const RecordBatch kept = without_clock_offsets(batch);
            dropped_clock_offsets_ += batch.size() - kept.size();
            fold(kept);
        });
    });
}

void ArchiveFolder::fold_events(u32 location, const MappingTables& tables, LocationFacts& facts) {
    const LocationDefinition& definition = definitions_.locations()[location];
    EventFolder folder(definitions_, tables, definition, *times_, kept_);
    // The file may have more records: those of unknown types are dropped.
    u64 last = 0;
    source_.read_events(definition.id, [&](const RecordBatch& batch) {
        if (options_.rising_times) last = check_times(batch, definition.id, last);
        facts.events += batch.size();
        folder.add(batch);
        if (options_.progress) options_.progress(batch.size());
    });
    folder.finish();
    const CallEncoder& encoder = folder.encoder();
    folder.folder().finish(store_, Stream::events, location, encoder.symbols(),
                           encoder.peer_views());
    facts.raw_unknown_request = encoder.raw_records().unknown_request;
    facts.raw_inexpressible = encoder.raw_records().inexpressible;
    facts.has_restarts = encoder.has_restarts() ? 1 : 0;
    add_section(location, times_->ticks());
    if (options_.timing == TimingLevel::histogram) {
        timings_.merge({symbol_addresses(encoder.symbols()), times_->durations(location)});
    }
}

u64 ArchiveFolder::check_times(const RecordBatch& batch, u64 location, u64 last) const {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.time >= last) {
            last = head.time;
            continue;
        }
        throw Error(ErrorKind::unsupported,
                    "the times of location {} of {} decrease, and libotf2 writes no such times; "
                    "keep the defaults (exact timing, verification, exact bytes), which restore "
                    "them, or leave times out with --timing none",
                    location, source_.info().name);
    }
    return last;
}

/// zstd does not shrink the output of models.
void ArchiveFolder::add_section(u32 location, const std::string& content) {
    if (content.empty()) return;
    const StoredSection stored = options_.packing.portable ? pack_section(content, options_.packing)
                                                           : StoredSection{content, content.size()};
    Section section;
    section.kind = SectionKind::ticks;
    section.coding = stored.coding;
    section.index = location;
    section.stored_size = stored.bytes.size();
    section.content_size = stored.content_size;
    section.checksum = checksum(stored.bytes);
    sections_.push_back(section);
    ticks_.append(stored.bytes);
}

namespace {

/// An odd number of processes away, so that it is on another node whether neighbours share a node
/// or processes are dealt out in turn.
int process_to_check(const Communicator& comm, const TraceSource& source) {
    if (comm.size() == 1 || source.files() == nullptr) return comm.rank();
    return (comm.rank() + (comm.size() / 2 | 1)) % comm.size();
}

}  // namespace

FoldingTeam::FoldingTeam(TraceSource& source, const DefinitionIndex& definitions,
                         const Communicator& comm, u32 threads)
    : definitions_(definitions), checked_process_(process_to_check(comm, source)) {
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
        const auto block_of = [&](int process) {
            return location_block(definitions.locations(), process * size + i, comm.size() * size);
        };
        Member& member = members_[static_cast<std::size_t>(i)];
        member.block = block_of(comm.rank());
        member.checked =
            checked_process_ == comm.rank() ? member.block : block_of(checked_process_);
    }
}

u64 FoldingTeam::declared_events(std::vector<u32> Member::*locations) const {
    u64 events = 0;
    for (const Member& member : members_) {
        for (const u32 i : member.*locations) events += definitions_.locations()[i].event_count;
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
