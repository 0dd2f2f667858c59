// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_reader.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "otf2/detail/anchor.hpp"
#include "otf2/detail/batch_reader.hpp"
#include "otf2/detail/direct_reader.hpp"
#include "otf2/detail/record_scanner.hpp"

#include <memory>
#include <unordered_map>

namespace tracefold {

using otf2::BatchReader;
using otf2::ErrorCapture;
using otf2::ReaderHandle;

namespace {

std::string subject_of(const char* records, u64 location, const std::string& path) {
    return fmt::format("{} of location {} in {}", records, location, path);
}

/// Refuses a truncated file before libotf2 opens it.
otf2::RawFile inspect(const std::string& path, u64 chunk_size, const std::string& what) {
    const otf2::RawFile raw = otf2::inspect_file(path, chunk_size, what);
    if (raw.ended) return raw;
    throw Error(ErrorKind::corrupt,
                "cannot read {}: the file is truncated or damaged ({}, at byte {}){}", what,
                raw.reason, raw.damage, otf2::kDamageAdvice);
}

void expect_handle(const void* handle, const ErrorCapture& capture, const std::string& what) {
    if (handle == nullptr) capture.check(OTF2_ERROR_FILE_INTERACTION, "cannot read " + what);
}

}  // namespace

struct ArchiveReader::Impl {
    Impl(const std::string& path, const ArchiveReaderOptions& options)
        : info(otf2::read_anchor(find_anchor(path))),
          files(info.directory, info.name),
          location_files(std::make_shared<LocationFiles>(files.of_locations())),
          batches(options.drop_unknown) {}
    /// See ArchiveReader::clone_reader().
    Impl(const Impl& other)
        : info(other.info),
          files(other.files),
          location_files(other.location_files),
          batches(other.batches.drops_unknown()),
          declared_events(other.declared_events) {}

    /// One libotf2 reader per file: no state of a location (mapping tables, clock offsets, damage)
    /// affects the next, and libotf2's lists of locations stay short.
    [[nodiscard]] ReaderHandle open_location(const ErrorCapture& capture, u64 location) const {
        ReaderHandle reader = otf2::open_archive(info.anchor_path);
        capture.check(
            OTF2_Reader_SelectLocation(reader.get(), location),
            fmt::format("cannot select location {} of the archive {}", location, info.anchor_path));
        return reader;
    }

    /// Describes a file that looks complete.
    [[nodiscard]] BatchReader::Subject subject_at(const std::string& path, Stream stream,
                                                  const std::string& what) const {
        const u64 chunk_size =
            stream == Stream::events ? info.event_chunk_size : info.definition_chunk_size;
        const otf2::RawFile raw = inspect(path, chunk_size, what);
        const u64 records = stream == Stream::events ? raw.last_event : 0;
        return {what, path, stream, chunk_size, records, raw.size};
    }

    void read_global_definitions(const Sink& sink);
    u64 read_local_definitions(u64 location, const std::string& path, const Sink& sink);
    u64 read_local_definitions_by_libotf2(u64 location, const std::string& path, const Sink& sink);
    u64 read_events(u64 location, const std::string& path, const Sink& sink,
                    std::size_t batch_size);
    u64 read_events_by_libotf2(u64 location, const std::string& path, const Sink& sink,
                               std::size_t batch_size, u64 passed_on);
    [[nodiscard]] bool may_lack_events(u64 location) const;
    void learn_locations(const RecordBatch& batch, const BatchReader::Subject& subject,
                         u64 records);

    ArchiveInfo info;
    ArchiveFiles files;
    std::shared_ptr<const LocationFiles> location_files;
    BatchReader batches;
    otf2::DirectReader direct;
    std::unordered_map<u64, u64> declared_events;  // by location, from the global definitions
    otf2::EventCallbacks event_callbacks = otf2::event_callbacks();
    otf2::GlobalDefinitionCallbacks global_callbacks = otf2::global_definition_callbacks();
    otf2::LocalDefinitionCallbacks local_callbacks = otf2::local_definition_callbacks();
};

/// Refuses duplicate definitions of a location: libotf2 cannot write them.
void ArchiveReader::Impl::learn_locations(const RecordBatch& batch,
                                          const BatchReader::Subject& subject, u64 records) {
    for (const RecordBatch::Head& head : batch.heads()) {
        ++records;
        if (head.type != static_cast<u8>(DefinitionType::Location)) continue;
        const auto values = batch.values(head);  // self, ..., number_of_events
        if (declared_events.emplace(values[0], values[3]).second) continue;
        throw BatchReader::damaged(subject, records - 1,
                                   fmt::format("location {} is defined again", values[0]));
    }
}

void ArchiveReader::Impl::read_global_definitions(const Sink& sink) {
    const ErrorCapture capture;
    const std::string path = files.global_definitions();
    BatchReader::Subject subject =
        subject_at(path, Stream::global_definitions, "global definitions in " + path);
    subject.expected = info.global_definition_count;
    const ReaderHandle reader = otf2::open_archive(info.anchor_path);
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader.get());
    expect_handle(definitions, capture, subject.what);
    capture.check(OTF2_Reader_RegisterGlobalDefCallbacks(
                      reader.get(), definitions, global_callbacks.get(), batches.user_data()),
                  "cannot read " + subject.what);
    declared_events.clear();
    u64 learnt = 0;
    const u64 records = batches.read_all(
        subject, kBatchSize,
        [&](const RecordBatch& batch) {
            learn_locations(batch, subject, learnt);
            learnt += batch.size();
            sink(batch);
        },
        [&](u64 count, u64* got) {
            return OTF2_Reader_ReadGlobalDefinitions(reader.get(), definitions, count, got);
        });
    if (records != info.global_definition_count) {
        throw BatchReader::damaged(subject, records, "the anchor file has a different number");
    }
}

u64 ArchiveReader::Impl::read_local_definitions(u64 location, const std::string& path,
                                                const Sink& sink) {
    otf2::expect_present(path, subject_of("local definitions", location, path));
    const auto direct_part =
        direct.read_local_definitions(path, info.definition_chunk_size, kBatchSize, sink);
    if (direct_part.complete) return direct_part.records;
    return read_local_definitions_by_libotf2(location, path, sink);
}

u64 ArchiveReader::Impl::read_local_definitions_by_libotf2(u64 location, const std::string& path,
                                                           const Sink& sink) {
    const ErrorCapture capture;
    const BatchReader::Subject subject = subject_at(
        path, Stream::local_definitions, subject_of("local definitions", location, path));
    const ReaderHandle reader = open_location(capture, location);
    capture.check(OTF2_Reader_OpenDefFiles(reader.get()), "cannot read " + subject.what);
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader.get(), location);
    expect_handle(definitions, capture, subject.what);
    capture.check(OTF2_Reader_RegisterDefCallbacks(reader.get(), definitions, local_callbacks.get(),
                                                   batches.user_data()),
                  "cannot read " + subject.what);
    return batches.read_all(subject, kBatchSize, sink, [&](u64 count, u64* got) {
        return OTF2_Reader_ReadLocalDefinitions(reader.get(), definitions, count, got);
    });
}

/// Falls back to libotf2 for the part that DirectReader does not support.
u64 ArchiveReader::Impl::read_events(u64 location, const std::string& path, const Sink& sink,
                                     std::size_t batch_size) {
    otf2::expect_present(path, subject_of("events", location, path));
    const auto direct_part = direct.read(path, info.event_chunk_size, batch_size, sink);
    if (direct_part.complete && direct_part.records >= direct_part.last_event) {
        return direct_part.records;
    }
    return read_events_by_libotf2(location, path, sink, batch_size, direct_part.records);
}

/// Skips the first `passed_on` records, a multiple of `batch_size` or all.
u64 ArchiveReader::Impl::read_events_by_libotf2(u64 location, const std::string& path,
                                                const Sink& sink, std::size_t batch_size,
                                                u64 passed_on) {
    const ErrorCapture capture;
    const BatchReader::Subject subject =
        subject_at(path, Stream::events, subject_of("events", location, path));
    const ReaderHandle reader = open_location(capture, location);
    capture.check(OTF2_Reader_OpenEvtFiles(reader.get()), "cannot read " + subject.what);
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader.get(), location);
    expect_handle(events, capture, subject.what);
    OTF2_EvtReader_ApplyMappingTables(events, false);
    OTF2_EvtReader_ApplyClockOffsets(events, false);
    capture.check(OTF2_Reader_RegisterEvtCallbacks(reader.get(), events, event_callbacks.get(),
                                                   batches.user_data()),
                  "cannot read " + subject.what);
    u64 read = 0;
    const auto skip_first = [&](const RecordBatch& batch) {
        if (read >= passed_on) sink(batch);
        read += batch.size();
    };
    const u64 records = batches.read_all(subject, batch_size, skip_first, [&](u64 count, u64* got) {
        return OTF2_Reader_ReadLocalEvents(reader.get(), events, count, got);
    });
    if (records < subject.expected) {
        throw BatchReader::damaged(subject, records, "events are missing");
    }
    return records;
}

ArchiveReader::ArchiveReader(const std::string& path, const ArchiveReaderOptions& options)
    : impl_(std::make_unique<Impl>(path, options)) {}

ArchiveReader::ArchiveReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ArchiveReader ArchiveReader::clone_reader() const {
    return ArchiveReader(std::make_unique<Impl>(*impl_));
}

ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;
ArchiveReader& ArchiveReader::operator=(ArchiveReader&&) noexcept = default;

const ArchiveInfo& ArchiveReader::info() const { return impl_->info; }

const ArchiveFiles& ArchiveReader::files() const { return impl_->files; }

void ArchiveReader::read_global_definitions(const Sink& sink) {
    impl_->read_global_definitions(sink);
}

bool ArchiveReader::has_local_definitions(u64 location) const {
    return impl_->location_files->has_local_definitions(location);
}

bool ArchiveReader::has_events(u64 location) const {
    return impl_->location_files->has_events(location);
}

u64 ArchiveReader::read_local_definitions(u64 location, const Sink& sink) {
    if (!has_local_definitions(location)) return 0;
    return impl_->read_local_definitions(location, impl_->files.local_definitions(location), sink);
}

u64 ArchiveReader::read_local_definitions_by_libotf2(u64 location, const Sink& sink) {
    if (!has_local_definitions(location)) return 0;
    return impl_->read_local_definitions_by_libotf2(location,
                                                    impl_->files.local_definitions(location), sink);
}

bool ArchiveReader::Impl::may_lack_events(u64 location) const {
    const auto declared = declared_events.find(location);
    return declared != declared_events.end() && declared->second == 0 &&
           !location_files->has_events(location);
}

u64 ArchiveReader::read_events(u64 location, const Sink& sink, std::size_t batch_size) {
    if (impl_->may_lack_events(location)) return 0;
    return impl_->read_events(location, impl_->files.events(location), sink, batch_size);
}

u64 ArchiveReader::read_events_by_libotf2(u64 location, const Sink& sink) {
    if (impl_->may_lack_events(location)) return 0;
    return impl_->read_events_by_libotf2(location, impl_->files.events(location), sink, kBatchSize,
                                         0);
}

u64 ArchiveReader::unknown_records() const { return impl_->batches.unknown_records(); }

std::vector<std::string> ArchiveReader::companion_files(const std::vector<u64>& locations) const {
    return impl_->files.companions(locations);
}

std::vector<std::string> ArchiveReader::extra_files() const { return impl_->files.extras().files; }

}  // namespace tracefold
