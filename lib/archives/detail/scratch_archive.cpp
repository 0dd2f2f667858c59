// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/scratch_archive.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"
#include "base/temporary.hpp"

namespace tracefold {

namespace {

constexpr u32 kMostLocations = 256;

}  // namespace

ScratchArchive::ScratchArchive(const std::string& parent, const ArchiveInfo& info)
    : folder_(parent), info_(info), files_((folder_.path() / "archive").string(), info.name) {}

void ScratchArchive::next_location() {
    if (locations_ == kMostLocations) close();
    ++locations_;
}

ArchiveWriter& ScratchArchive::writer() {
    if (!writer_) writer_.emplace(files_.directory(), info_, ArchiveWriterOptions{false});
    return *writer_;
}

void ScratchArchive::close() {
    writer_.reset();
    locations_ = 0;
    const std::error_code error = remove_tree(files_.directory());
    if (error) throw_io_error("cannot remove", files_.directory(), error.value());
}

void write_local_definitions(TraceFile& file, ArchiveWriter& writer, u32 location) {
    if (file.index().facts(location).has_local_definition_file == 0) return;
    const u64 id = file.definitions().locations()[location].id;
    writer.write_local_definitions(id, {});
    drain(*file.local_definitions(location),
          [&](const RecordBatch& batch) { writer.write_local_definitions(id, batch); });
}

void write_events(TraceFile& file, ArchiveWriter& writer, u32 location,
                  const ProgressSink& progress) {
    if (file.index().facts(location).has_event_file == 0) return;
    const u64 id = file.definitions().locations()[location].id;
    writer.write_events(id, {});
    drain(*file.events(location), [&](const RecordBatch& batch) {
        writer.write_events(id, batch);
        if (progress) progress(batch.size());
    });
}

}  // namespace tracefold
