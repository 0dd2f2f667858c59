// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A whole file, made of plain sections (section_list.hpp) with sizes and checksums that are right:
// opened, and the first records of each stream unwound.
#include "core/hash.hpp"
#include "fuzz/section_list.hpp"
#include "fuzz/target.hpp"
#include "pipeline/trace_file.hpp"

#include <filesystem>

#include <unistd.h>

namespace {

using namespace tracefold;

/// A file may hold any number of definitions in a loop; these are enough to go wrong.
constexpr u64 kDefinitions = 2000;
constexpr u32 kLocations = 8;
constexpr int kBatches = 2;

std::string sane_archive(const std::string& bytes) {
    ArchiveHead head = decode_archive(bytes, "the input");
    u64& definitions = head.archive.global_definition_count;
    definitions = std::min(definitions, kDefinitions);
    return encode_archive(head);
}

void write_file(AtomicFile& file, const std::vector<PlainSection>& sections) {
    ContainerWriter writer(file);
    for (const PlainSection& plain : sections) {
        Section section;
        section.kind = static_cast<SectionKind>(plain.kind % 12);
        section.compressed = false;
        section.index = plain.index;
        const std::string content =
            section.kind == SectionKind::archive ? sane_archive(plain.content) : plain.content;
        section.stored_size = section.content_size = content.size();
        section.checksum = checksum(content);
        file.write_at(writer.place(section), content);
    }
    writer.finish();
}

void unwind_some(RecordSource& source) {
    RecordBatch batch;
    for (int i = 0; i < kBatches && source.next(batch); ++i) {
    }
}

void unwind_file(TraceFile& file) {
    for (u32 location = 0; location < std::min(file.location_count(), kLocations); ++location) {
        const LocationFacts facts = file.index().facts(location);
        if (facts.local_definitions > kDefinitions) continue;
        unwind_some(*file.local_definitions(location));
        unwind_some(*file.events(location));
    }
    file.read_files([](const CarriedFile&) {});
}

void decode(std::string_view bytes) {
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("tracefold-fuzz-" + std::to_string(::getpid())))
            .string();
    AtomicFile file(path);
    write_file(file, get_sections(bytes));
    TraceFile trace(file.temporary_path().string());
    unwind_file(trace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode);
}
