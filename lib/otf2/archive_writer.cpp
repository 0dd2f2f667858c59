// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_writer.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/temporary.hpp"
#include "otf2/file_difference.hpp"
#include "otf2/file_encoder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>

namespace tracefold {
namespace {

/// The release of libotf2 that writes the same bytes.
constexpr std::array<u8, 3> kWrittenVersion{3, 0, 3};
constexpr u8 kPlainFiles = 1;
constexpr u8 kNoCompression = 1;

/// A file that grows by records.
class RecordFile {
  public:
    RecordFile(const std::string& path, Stream stream, u64 chunk_size, std::string what)
        : encoder_(stream, chunk_size, std::move(what)), file_(path) {}

    void write(const RecordBatch& batch) {
        encoder_.encode_all(batch, [this](std::string_view chunk) { put(chunk); });
        records_ += batch.size();
    }
    /// Returns the checksum of the bytes.
    u64 close() {
        put(encoder_.end_file());
        file_.close();
        return checksum_.value();
    }
    [[nodiscard]] u64 records() const { return records_; }

  private:
    void put(std::string_view chunk) {
        file_.write(chunk);
        checksum_.add(chunk);
    }

    FileEncoder encoder_;
    OutputFile file_;
    FileChecksum checksum_;
    u64 records_ = 0;
};

}  // namespace

void create_archive_folder(const ArchiveFiles& files) {
    const std::string existing = files.existing();
    if (!existing.empty()) {
        throw Error(ErrorKind::io,
                    "cannot write the archive {}: {} exists; remove it or choose another folder",
                    files.anchor(), existing);
    }
    const auto lock = hold_temporaries();
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::path(files.directory()) / files.name();
    std::filesystem::create_directories(folder, code);
    if (!code) return;
    throw Error(ErrorKind::io, "cannot create the folder {}: {}", folder.string(), code.message());
}

void write_anchor(const ArchiveFiles& files, ArchiveInfo info, u64 locations, u64 definitions,
                  u64 content) {
    if (info.anchor_bytes.empty() || info.global_definition_count != definitions) {
        info.version = std::max(info.version, kWrittenVersion);
        info.substrate = kPlainFiles;
        info.compression = kNoCompression;
        info.location_count = locations;
        info.global_definition_count = definitions;
        info.trace_id = mix(content ^ mix(locations));
        // libotf2 writes no empty properties.
        std::erase_if(info.properties, [](const auto& one) { return one.second.empty(); });
        info.anchor_bytes = expected_anchor(info);
    }
    OutputFile anchor(files.anchor());
    anchor.write(info.anchor_bytes);
    anchor.close();
}

struct ArchiveWriter::Impl {
    Impl(const std::string& target, const ArchiveInfo& source, const ArchiveWriterOptions& options)
        : info(source), files(target, source.name) {
        if (!options.restore_anchor) info.anchor_bytes.clear();
        create_archive_folder(files);
        global.emplace(files.global_definitions(), Stream::global_definitions,
                       info.definition_chunk_size, "global definitions of " + files.anchor());
    }

    /// The open file of one kind, for one location at a time.
    struct OpenFile {
        u64 location = 0;
        std::optional<RecordFile> file;
        std::set<u64> locations;  ///< opening a file again would truncate it
    };

    void write(OpenFile& open, Stream stream, u64 location, const RecordBatch& batch) {
        if (!open.file || open.location != location) {
            close(open);
            const bool of_events = stream == Stream::events;
            const std::string what = fmt::format(
                "{} of location {}", of_events ? "events" : "local definitions", location);
            if (!open.locations.insert(location).second) {
                throw Error(ErrorKind::internal,
                            "cannot write " + what + ": its file was completed before");
            }
            open.location = location;
            open.file.emplace(
                of_events ? files.events(location) : files.local_definitions(location), stream,
                of_events ? info.event_chunk_size : info.definition_chunk_size, what);
        }
        open.file->write(batch);
    }

    void close(OpenFile& open) {
        if (!open.file) return;
        content = mix(content ^ open.file->close());
        open.file.reset();
    }

    ArchiveInfo info;
    ArchiveFiles files;
    std::optional<RecordFile> global;
    OpenFile definitions;
    OpenFile events;
    u64 content = 0;  ///< depends on all completed files
};

ArchiveWriter::ArchiveWriter(const std::string& directory, const ArchiveInfo& info,
                             const ArchiveWriterOptions& options)
    : impl_(std::make_unique<Impl>(directory, info, options)) {}

ArchiveWriter::~ArchiveWriter() = default;
ArchiveWriter::ArchiveWriter(ArchiveWriter&&) noexcept = default;
ArchiveWriter& ArchiveWriter::operator=(ArchiveWriter&&) noexcept = default;

void ArchiveWriter::write_global_definitions(const RecordBatch& batch) {
    impl_->global->write(batch);
}

void ArchiveWriter::write_local_definitions(u64 location, const RecordBatch& batch) {
    impl_->write(impl_->definitions, Stream::local_definitions, location, batch);
}

void ArchiveWriter::write_events(u64 location, const RecordBatch& batch) {
    impl_->write(impl_->events, Stream::events, location, batch);
}

void ArchiveWriter::close_location(u64 location) {
    for (Impl::OpenFile* open : {&impl_->definitions, &impl_->events}) {
        if (open->location == location) impl_->close(*open);
    }
}

void ArchiveWriter::finish() {
    impl_->close(impl_->definitions);
    impl_->close(impl_->events);
    const u64 content = mix(impl_->content ^ impl_->global->close());
    std::set<u64> locations = impl_->events.locations;
    locations.insert(impl_->definitions.locations.begin(), impl_->definitions.locations.end());
    write_anchor(impl_->files, impl_->info, locations.size(), impl_->global->records(), content);
}

}  // namespace tracefold
