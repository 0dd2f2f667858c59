// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/archive_part.hpp"

#include "file/byte_differences.hpp"

#include <memory>

namespace tracefold {

namespace {

u64 id_of(const TraceFile& file, u32 location) {
    return file.definitions().locations()[location].id;
}

std::unique_ptr<RecordSource> records_of(const ArchivePart& part, TraceFile& file) {
    switch (part.stream) {
        case Stream::global_definitions:
            return file.global_definitions();
        case Stream::local_definitions:
            return file.local_definitions(part.location);
        default:
            return file.events(part.location);
    }
}

}  // namespace

u64 ArchivePart::number() const {
    if (stream == Stream::global_definitions) return kGlobalDefinitionsFile;
    return stream == Stream::events ? events_file(location) : local_definitions_file(location);
}

std::string ArchivePart::path(const ArchiveFiles& files, const TraceFile& file) const {
    if (stream == Stream::global_definitions) return files.global_definitions();
    const u64 id = id_of(file, location);
    return stream == Stream::events ? files.events(id) : files.local_definitions(id);
}

EncodedFile ArchivePart::encode(TraceFile& file, const ProgressSink& progress) const {
    const std::shared_ptr<RecordSource> records = records_of(*this, file);
    const bool events = stream == Stream::events;
    const auto next = [records, progress = events ? progress : ProgressSink()](RecordBatch& batch) {
        if (!records->next(batch)) return false;
        if (progress) progress(batch.size());
        return true;
    };
    const ArchiveInfo& archive = file.archive();
    return {FileEncoder(stream, events ? archive.event_chunk_size : archive.definition_chunk_size,
                        path(ArchiveFiles("", archive.name), file)),
            next};
}

std::vector<ArchivePart> parts_of_location(TraceFile& file, u32 location) {
    const LocationFacts facts = file.index().facts(location);
    std::vector<ArchivePart> parts;
    if (facts.has_local_definition_file != 0) {
        parts.push_back({Stream::local_definitions, location});
    }
    if (facts.has_event_file != 0) parts.push_back({Stream::events, location});
    return parts;
}

}  // namespace tracefold
