// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/restore.hpp"

#include "archives/detail/archive_folder.hpp"
#include "archives/detail/archive_part.hpp"
#include "base/atomic_directory.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/temporary.hpp"
#include "file/byte_differences.hpp"
#include "file/location_blocks.hpp"
#include "model/definition_table.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/file_difference.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace tracefold {

/// Writes the anchor, definition and event files of an archive from a folded file: encoded, with
/// the stored differences. `directory` holds no archive of that name. Threads share the
/// locations; 0 is one per core if there are enough events; progress is reported by one of them at
/// a time. Returns the number of events. Throws Error as restore_archive().
u64 restore_files(TraceFile& file, const std::string& directory, const ProgressSink& progress,
                  u32 threads, RestoredFiles files);

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

/// Returns definitions with a clock of `length` nanoseconds from 0 on.
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

/// Removes the original anchor, and adds a property with the origin of the times.
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
        events += file.index().events(location);
    }
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        writer.write_global_definitions(retimed(batch, length));
    });
    writer.finish();
    target.commit();
    return events;
}

namespace {

class FileRestorer {
  public:
    FileRestorer(TraceFile& file, const std::string& directory, RestoredFiles files)
        : file_(file), files_(directory, file.archive().name) {
        create_archive_folder(files_);
        const std::optional<ByteDifferences> kept = file.kept_bytes();
        if (!kept) return;
        const bool exact = files == RestoredFiles::same_bytes;
        kept_ = exact ? *kept : kept->only_whole_files();
        if (exact) proof_ = kept->checksum();
    }

    /// Returns the number of events.
    u64 run(const ProgressSink& progress, u32 threads) {
        run_each(threads, file_.location_count(), [&](u32 location) {
            for (const ArchivePart& part : parts_of_location(file_, location)) {
                restore(part, progress);
            }
        });
        const u64 encoded_definitions = restore({}, {});
        const bool original = proof_ || kept_.find(kGlobalDefinitionsFile) != nullptr;
        u64 events = 0;
        u64 locations = 0;
        for (u32 location = 0; location < file_.location_count(); ++location) {
            const LocationFacts facts = file_.index().facts(location);
            events += facts.events;
            if ((facts.has_event_file | facts.has_local_definition_file) != 0) ++locations;
        }
        write_anchor(files_, archive_as_restored(file_), locations,
                     original ? file_.archive().global_definition_count : encoded_definitions,
                     checksum_);
        check_bytes();
        return events;
    }

  private:
    /// Returns the number of encoded records; 0 if the file is stored whole.
    u64 restore(const ArchivePart& part, const ProgressSink& progress) {
        OutputFile out(part.path(files_, file_));
        FileChecksum checksum;
        const ByteSink sink = [&](std::string_view bytes) {
            out.write(bytes);
            checksum.add(bytes);
        };
        const ContentDifferences* const kept = kept_.find(part.number());
        u64 records = 0;
        if (kept != nullptr && kept->whole) {
            sink(kept->bytes);
        } else {
            EncodedFile encoded = part.encode(file_, progress);
            if (kept != nullptr) {
                apply_difference(encoded, kept->bytes, sink);
            } else {
                for (auto chunk = encoded.next_chunk(); !chunk.empty();
                     chunk = encoded.next_chunk()) {
                    sink(chunk);
                }
            }
            records = encoded.records();
        }
        out.close();
        checksum_ += ByteDifferences::share_of(part.number(), checksum.value());
        return records;
    }

    void check_bytes() const {
        if (!proof_ || *proof_ == checksum_) return;
        throw Error(
            ErrorKind::unsupported,
            "the files of {} would have all records but not the bytes of the original, which were "
            "compared on a processor of another byte order, or by another version of this "
            "program; restore there, or accept the files as they are (--no-exact-bytes)",
            file_.archive().name);
    }

    TraceFile& file_;
    std::optional<u64> proof_;  ///< the expected checksum of the files
    ByteDifferences kept_;
    ArchiveFiles files_;
    std::atomic<u64> checksum_ = 0;
};

}  // namespace

u64 restore_files(TraceFile& file, const std::string& directory, const ProgressSink& progress,
                  u32 threads, RestoredFiles files) {
    return FileRestorer(file, directory, files)
        .run(one_at_a_time(progress), useful_threads(file.definitions().locations(), threads));
}

}  // namespace tracefold
