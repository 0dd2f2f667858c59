// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/restore.hpp"

#include "archives/archive_folder.hpp"
#include "archives/file_restorer.hpp"
#include "archives/location_writer.hpp"
#include "io/atomic_directory.hpp"
#include "io/file.hpp"
#include "io/temporary.hpp"
#include "model/definition_table.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

void write_files(const TraceFile& file, const fs::path& directory) {
    file.read_files([&directory](const CarriedFile& carried) {
        const fs::path path = directory / carried.path;
        std::error_code error;
        make_folders(path.parent_path(), error);
        AtomicFile out(path);
        out.write(carried.content);
        out.commit();
    });
}

/// An archive of this name, and what came along with it.
EarlierOutput earlier_archive(const TraceFile& file) {
    const ArchiveFiles files("", file.archive().name);
    std::set<std::string> carried;
    file.read_files([&](const CarriedFile& one) { carried.insert(one.path); });
    return {file.archive().name + ".otf2",
            [files, carried = std::move(carried)](const std::string& name) {
                return files.has(name) || carried.contains(name);
            }};
}

constexpr u64 kNanoseconds = 1'000'000'000;
constexpr u64 kUndefinedTime = ~u64{0};

/// Definitions whose clock counts `length` nanoseconds from 0 on.
RecordBatch retimed(const RecordBatch& batch, u64 length) {
    RecordBatch result;
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::ClockProperties)) {
            result.append(batch, head);
            continue;
        }
        result.begin(head.type);
        for (const u64 value : {kNanoseconds, u64{0}, length, kUndefinedTime}) result.push(value);
    }
    return result;
}

/// Writes the events of a location; returns the time of the last one.
u64 write_retimed(TraceFile& file, ArchiveWriter& writer, u32 location, const Retiming& retiming) {
    const u64 id = file.definitions().locations()[location].id;
    const LocationFacts facts = file.index().facts(location);
    if (facts.has_local_definition_file != 0) {
        writer.write_local_definitions(id, {});
        drain(*file.local_definitions(location), [&](const RecordBatch& batch) {
            writer.write_local_definitions(id, without_clock_offsets(batch));
        });
    }
    u64 last = 0;
    if (facts.has_event_file != 0) {
        writer.write_events(id, {});
        drain(*retiming.events(location), [&](const RecordBatch& batch) {
            if (!batch.empty()) last = batch[batch.size() - 1].time;
            writer.write_events(id, batch);
        });
    }
    writer.close_location(id);
    return last;
}

/// Without the original anchor, and with a property that says where the times are from.
ArchiveInfo with_times_of(ArchiveInfo info, std::string_view origin) {
    constexpr std::string_view kProperty = "TRACEFOLD::TIMES";
    info.anchor_bytes.clear();
    std::erase_if(info.properties,
                  [&](const auto& property) { return property.first == kProperty; });
    info.properties.emplace_back(kProperty, origin);
    return info;
}

}  // namespace

ArchiveInfo archive_as_restored(const TraceFile& file) {
    const TimingLevel timing = file.summary().timing;
    if (timing == TimingLevel::exact) return file.archive();
    return with_times_of(file.archive(), timing_name(timing));
}

u64 restore_archive(TraceFile& file, const std::string& directory, bool force,
                    const ProgressSink& progress, u32 threads, RestoredFiles files) {
    const bool replaces = force && fs::exists(directory);
    AtomicDirectory target(directory, force, replaces ? earlier_archive(file) : EarlierOutput());
    const u64 events = restore_files(file, target.path(), progress, threads, files);
    write_files(file, target.path());
    target.commit();
    return events;
}

u64 restore_retimed(TraceFile& file, const std::string& directory, const Retiming& retiming) {
    AtomicDirectory target(directory, false);
    ArchiveWriter writer(target.path(), with_times_of(file.archive(), retiming.origin), {false});
    u64 length = 0;
    u64 events = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        length = std::max(length, write_retimed(file, writer, location, retiming));
        events += file.index().facts(location).events;
    }
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        writer.write_global_definitions(retimed(batch, length));
    });
    writer.finish();
    target.commit();
    return events;
}

}  // namespace tracefold
