// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/made_trace.hpp"

#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "model/definition_index.hpp"
#include "model/mpi_spelling.hpp"
#include "otf2/archive_writer.hpp"

#include <algorithm>

namespace tracefold::testing {

namespace {

constexpr u64 kProcess = 1;
constexpr u64 kCpuThread = 1;
constexpr u64 kUserParadigm = 1;
constexpr u64 kFirstGroup = 1000;

}  // namespace

MadeTrace::MadeTrace(const Shape& shape) : shape_(shape) {
    info_.name = "traces";
    info_.version = {3, 0, 0};
    info_.event_chunk_size = u64{1} << 20U;
    info_.definition_chunk_size = u64{1} << 22U;
    for (u32 rank = 0; rank < shape.ranks - shape.ranks_without_location; ++rank) {
        for (u32 thread = 0; thread < shape.threads; ++thread) events_[location_id(rank, thread)];
    }
    info_.location_count = events_.size();
}

void MadeTrace::call_of(u32 rank, u32 thread, const std::string& function,
                        const std::vector<Event>& events) {
    record(rank, thread, EventType::Enter, {region(function)});
    for (const Event& event : events) record(rank, thread, event.type, event.fields);
    record(rank, thread, EventType::Leave, {region(function)});
}

void MadeTrace::timed_call(u32 rank, u64 begin, u64 end, const std::string& function,
                           const std::vector<Event>& events) {
    at(begin);
    record(rank, 0, EventType::Enter, {region(function)});
    for (const Event& event : events) record(rank, 0, event.type, event.fields);
    at(end);
    record(rank, 0, EventType::Leave, {region(function)});
}

void MadeTrace::record(u32 rank, u32 thread, EventType type, const std::vector<u64>& fields) {
    RecordBatch& batch = events_.at(location_id(rank, thread));
    std::ranges::copy(fields,
                      batch.add(static_cast<u8>(type), clock_, static_cast<u32>(fields.size())));
    ++clock_;
}

void MadeTrace::add_locations(DefinitionWriter& out) const {
    out.add(DefinitionType::SystemTreeNode, {0, kEmpty, kEmpty, kNone});
    for (u32 rank = 0; rank < shape_.ranks; ++rank) {
        const bool has_mpi = shape_.paradigm == kParadigmMpi;
        const u64 name = out.string((has_mpi ? "MPI Rank " : "process ") + std::to_string(rank));
        out.add(DefinitionType::LocationGroup, {kFirstGroup + rank, name, kProcess, 0, kNone});
    }
    for (const auto& [location, events] : events_) {
        const u64 name = out.string("thread " + std::to_string(location % 10));
        out.add(DefinitionType::Location,
                {location, name, kCpuThread, events.size(), kFirstGroup + location / 10});
    }
}

void MadeTrace::add_groups(DefinitionWriter& out) const {
    if (shape_.paradigm == kNoParadigm) return;
    const auto add = [&](u64 id, u64 type, const std::vector<u64>& members) {
        out.add(DefinitionType::Group, {id, kEmpty, type, shape_.paradigm, 0, members.size()});
        for (const u64 member : members) out.batch().push(member);
    };
    std::vector<u64> all;
    std::vector<u64> ranks;
    for (u32 rank = 0; rank < shape_.ranks; ++rank) {
        all.push_back(shape_.of_groups ? kFirstGroup + rank : location_id(rank, 0));
        ranks.push_back(rank);
    }
    add(0, shape_.of_groups ? kGroupCommLocationGroups : kGroupCommLocations, all);
    add(1, kGroupCommGroup, ranks);
    add(2, kGroupCommSelf, {});
    out.add(DefinitionType::Comm, {0, out.string("MPI_COMM_WORLD"), 1, kNone, 0});
    out.add(DefinitionType::Comm, {1, out.string("MPI_COMM_SELF"), 2, kNone, 0});
    if (shape_.files) {
        out.add(DefinitionType::IoParadigm, {0, out.string("MPI-IO"), kEmpty, 1, 0, 0});
        out.add(DefinitionType::IoRegularFile, {0, out.string("/data/file"), kNone});
        out.add(DefinitionType::IoHandle, {0, kEmpty, 0, 0, 0, 0, kNone});
    }
    if (!shape_.windows) return;
    for (u32 rank = 0; rank < shape_.ranks; ++rank) {
        add(kFirstAlone + rank, kGroupCommGroup, {rank});
    }
    out.add(DefinitionType::RmaWin, {0, out.string("window"), 0, 0});
    if (shape_.paradigm != kParadigmMpi) {
        out.add(DefinitionType::RmaWin, {1, out.string("own window"), 1, 0});
    }
}

RecordBatch MadeTrace::definitions() {
    DefinitionWriter out;
    out.string("");
    out.add(DefinitionType::ClockProperties, {1'000'000'000, 0, clock_, ~u64{0}});
    add_locations(out);
    for (const auto& [name, region] : regions_) {
        const u64 text = out.string(name);
        const u64 paradigm = name.starts_with("shmem_")        ? kShmem
                             : mpi_function_name(name).empty() ? kUserParadigm
                                                               : kParadigmMpi;
        out.add(DefinitionType::Region, {region, text, text, kEmpty, 0, paradigm, 0, kEmpty, 0, 0});
    }
    add_groups(out);
    for (const auto& more : more_) more(out);
    return std::move(out.batch());
}

void MadeTrace::read_global_definitions(const BatchSink& sink) {
    const RecordBatch batch = definitions();
    info_.global_definition_count = batch.size();
    sink(batch);
}

u64 MadeTrace::read_events(u64 location, const BatchSink& sink) {
    const RecordBatch& batch = events_.at(location);
    if (!batch.empty()) sink(batch);
    return batch.size();
}

void MadeTrace::fold(const std::string& path, TimingLevel timing) {
    CompressOptions options;
    options.output = path;
    options.producer = "test";
    options.timing = timing;
    options.level = 1;
    SerialCommunicator comm;
    compress(comm, options, *this);
}

void MadeTrace::write(const std::string& directory) {
    ArchiveWriter writer(directory, info_, {.restore_anchor = false});
    for (const auto& [location, events] : events_) {
        if (has_local_definitions(location)) {
            writer.write_local_definitions(location, locals_.at(location).batch());
        }
        writer.write_events(location, events);
        writer.close_location(location);
    }
    writer.write_global_definitions(definitions());
    writer.finish();
}

}  // namespace tracefold::testing
