// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/restore.hpp"

#include "archives/detail/archive_folder.hpp"
#include "archives/detail/scratch_archive.hpp"
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

/// Writes the anchor, definition and event files of an archive from a folded file: with libotf2,
/// then with the stored differences. `directory` holds no archive of that name. Threads share the
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
        events += file.index().facts(location).events;
    }
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        writer.write_global_definitions(retimed(batch, length));
    });
    writer.finish();
    target.commit();
    return events;
}

namespace {

void move_file(const std::string& from, const std::string& to) {
    std::error_code code;
    std::filesystem::rename(from, to, code);
    if (!code) return;
    throw Error(ErrorKind::io, "cannot move {} to {}: {}", from, to, code.message());
}

/// Turns a file written by libotf2 into the original by its stored difference. Returns its share of
/// ByteDifferences::checksum().
u64 finish_restored(const TraceFile& file, const ByteDifferences& kept, u64 number, bool events,
                    const std::string& path) {
    const ContentDifferences* const content = kept.find(number);
    const ArchiveInfo& archive = file.archive();
    if (content != nullptr && content->whole) {
        AtomicFile out(path, true);
        out.write(content->bytes);
        out.commit();
    } else if (content != nullptr) {
        apply_difference(
            path, content->bytes,
            {events, events ? archive.event_chunk_size : archive.definition_chunk_size});
    }
    return ByteDifferences::share_of(number, file_checksum(path));
}

/// Writes the files of locations one after another: in a scratch folder within the archive's, from
/// which each complete file is moved. Several may work for the same archive in parallel, each with
/// its own TraceFile.
class LocationRestorer {
  public:
    /// All arguments must outlive this object; the archive's folder must exist.
    LocationRestorer(TraceFile& file, const ByteDifferences& kept, const ArchiveFiles& target,
                     const ProgressSink& progress)
        : file_(file),
          kept_(kept),
          target_(target),
          progress_(progress),
          scratch_(target.directory(), archive_as_restored(file)) {}

    /// Call once per location. Returns the share of its files in ByteDifferences::checksum().
    u64 restore(u32 location) {
        u64 checksum = 0;
        const u64 id = file_.definitions().locations()[location].id;
        const LocationFacts facts = file_.index().facts(location);
        const ArchiveFiles& written = scratch_.files();
        scratch_.next_location();
        if (facts.has_local_definition_file != 0) {
            checksum += restore(
                {id, local_definitions_file(location), false, written.local_definitions(id),
                 target_.local_definitions(id)},
                [&](ArchiveWriter& writer) { write_local_definitions(file_, writer, location); });
        }
        if (facts.has_event_file != 0) {
            checksum += restore(
                {id, events_file(location), true, written.events(id), target_.events(id)},
                [&](ArchiveWriter& writer) { write_events(file_, writer, location, progress_); });
        }
        return checksum;
    }

  private:
    struct Place {
        u64 location;  ///< id of the location
        u64 number;    ///< file number of ByteDifferences
        bool events;
        std::string scratch;
        std::string target;
    };

    u64 restore(const Place& place, const std::function<void(ArchiveWriter&)>& write) {
        const ContentDifferences* const kept = kept_.find(place.number);
        const bool whole = kept != nullptr && kept->whole;
        if (!whole) {
            write(scratch_.writer());
            scratch_.writer().close_location(place.location);
            move_file(place.scratch, place.target);
        }
        return finish_restored(file_, kept_, place.number, place.events, place.target);
    }

    TraceFile& file_;
    const ByteDifferences& kept_;
    const ArchiveFiles& target_;
    const ProgressSink& progress_;
    ScratchArchive scratch_;
};

class FileRestorer {
  public:
    FileRestorer(TraceFile& file, const std::string& directory, RestoredFiles files)
        : file_(file),
          files_(directory, file.archive().name),
          writer_(directory, archive_as_restored(file)) {
        const std::optional<ByteDifferences> kept = file.kept_bytes();
        if (!kept) return;
        const bool exact = files == RestoredFiles::same_bytes;
        kept_ = exact ? *kept : kept->only_whole_files();
        if (exact) proof_ = kept->checksum();
    }

    void run(const ProgressSink& progress, u32 threads) {
        if (archive_as_restored(file_).anchor_bytes.empty()) count_locations();
        restore_locations(progress, threads);
        restore_global_definitions();
        check_bytes();
    }

  private:
    /// libotf2's anchor counts the locations whose files it has written: registers all of them.
    void count_locations() {
        for (u32 location = 0; location < file_.location_count(); ++location) {
            const u64 id = file_.definitions().locations()[location].id;
            const LocationFacts facts = file_.index().facts(location);
            if (facts.has_event_file != 0) {
                writer_.write_events(id, {});
            } else if (facts.has_local_definition_file != 0) {
                writer_.write_local_definitions(id, {});
            }
            writer_.close_location(id);
        }
    }

    void restore_locations(const ProgressSink& progress, u32 threads) {
        run_each_with(threads, file_.location_count(), [&] {
            const auto restorer =
                std::make_shared<LocationRestorer>(file_, kept_, files_, progress);
            return [this, restorer](u32 location) { checksum_ += restorer->restore(location); };
        });
    }

    void restore_global_definitions() {
        const ContentDifferences* const definitions = kept_.find(kGlobalDefinitionsFile);
        const bool whole = definitions != nullptr && definitions->whole;
        if (!whole) {
            drain(*file_.global_definitions(),
                  [this](const RecordBatch& batch) { writer_.write_global_definitions(batch); });
        }
        writer_.finish();
        if (whole) {
            AtomicFile anchor(files_.anchor(), true);
            anchor.write(file_.archive().anchor_bytes);
            anchor.commit();
        }
        checksum_ += finish_restored(file_, kept_, kGlobalDefinitionsFile, false,
                                     files_.global_definitions());
    }

    void check_bytes() const {
        if (!proof_ || *proof_ == checksum_) return;
        throw Error(
            ErrorKind::unsupported,
            "the files of {} would have all records but not the bytes of the original: libotf2 "
            "here is not the release that they were compared with, or this processor has another "
            "byte order; restore there, or accept the files as they are (--no-exact-bytes)",
            file_.archive().name);
    }

    TraceFile& file_;
    std::optional<u64> proof_;  ///< the expected checksum of the files
    ByteDifferences kept_;
    ArchiveFiles files_;
    ArchiveWriter writer_;
    std::atomic<u64> checksum_ = 0;
};

}  // namespace

u64 restore_files(TraceFile& file, const std::string& directory, const ProgressSink& progress,
                  u32 threads, RestoredFiles files) {
    FileRestorer(file, directory, files)
        .run(one_at_a_time(progress), useful_threads(file.definitions().locations(), threads));
    u64 events = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        events += file.index().facts(location).events;
    }
    return events;
}

}  // namespace tracefold
