// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/anchor.hpp"

#include "core/error.hpp"
#include "io/file.hpp"
#include "otf2/detail/error_capture.hpp"

#include <cstdlib>
#include <filesystem>

namespace tracefold::otf2 {
namespace {

namespace fs = std::filesystem;

/// libotf2 takes minutes or crashes on an anchor that claims too many properties. Looks at anchors
/// of OTF2 3 only, whose layout is known, and leaves all other damage to libotf2.
void refuse_impossible_properties(const std::string& path, const std::string& bytes) {
    constexpr std::size_t kByteOrder = 1;
    constexpr std::size_t kMajor = 9;
    constexpr std::size_t kTexts = 46;  // machine name, creator, description, each ends with zero
    if (bytes.size() < kTexts || bytes[kMajor] != kOtf2Major) return;
    std::size_t position = kTexts;
    for (int i = 0; i < 3; ++i) {
        position = bytes.find('\0', position);
        if (position == std::string::npos) return;
        ++position;
    }
    if (bytes.size() - position < 4) return;
    u32 count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t next = bytes[kByteOrder] == 'B' ? 3 - i : i;
        count = count << 8 | static_cast<u8>(bytes[position + next]);
    }
    if (count <= bytes.size() / 2) return;  // a name and a value have at least a zero each
    throw Error(
        ErrorKind::corrupt,
        "cannot read the archive {}: the file is damaged (it claims to have {} properties){}", path,
        count, kDamageAdvice);
}

/// A string that libotf2 allocated, or "" for none.
template <class Get>
std::string text_of(Get get) {
    char* text = nullptr;
    get(&text);
    const std::unique_ptr<char, Deleter<std::free>> owner(text);
    return text == nullptr ? "" : text;
}

void read_properties(OTF2_Reader* reader, ArchiveInfo& info) {
    u32 count = 0;
    char** names = nullptr;
    OTF2_Reader_GetPropertyNames(reader, &count, &names);
    // libotf2 allocates the array and its texts as one block.
    const std::unique_ptr<char*, Deleter<std::free>> owner(names);
    for (u32 i = 0; i < count; ++i) {
        info.properties.emplace_back(names[i], text_of([&](char** value) {
                                         OTF2_Reader_GetProperty(reader, names[i], value);
                                     }));
    }
}

void read_texts(OTF2_Reader* reader, ArchiveInfo& info) {
    info.machine_name = text_of([&](char** text) { OTF2_Reader_GetMachineName(reader, text); });
    info.creator = text_of([&](char** text) { OTF2_Reader_GetCreator(reader, text); });
    info.description = text_of([&](char** text) { OTF2_Reader_GetDescription(reader, text); });
    read_properties(reader, info);
}

void read_numbers(OTF2_Reader* reader, ArchiveInfo& info) {
    OTF2_Reader_GetVersion(reader, &info.version[0], &info.version[1], &info.version[2]);
    OTF2_Reader_GetFileSubstrate(reader, &info.substrate);
    OTF2_Reader_GetCompression(reader, &info.compression);
    OTF2_Reader_GetChunkSize(reader, &info.event_chunk_size, &info.definition_chunk_size);
    OTF2_Reader_GetTraceId(reader, &info.trace_id);
    OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &info.global_definition_count);
    OTF2_Reader_GetNumberOfLocations(reader, &info.location_count);
    OTF2_Reader_GetNumberOfSnapshots(reader, &info.snapshot_count);
    OTF2_Reader_GetNumberOfThumbnails(reader, &info.thumbnail_count);
}

void refuse_other_storage(const ArchiveInfo& info) {
    if (info.substrate == OTF2_SUBSTRATE_POSIX && info.compression == OTF2_COMPRESSION_NONE) return;
    throw Error(ErrorKind::unsupported,
                "cannot read the archive {}: only plain files without compression are supported; "
                "rewrite it with a libotf2 that supports its storage",
                info.anchor_path);
}

}  // namespace

ReaderHandle open_archive(const std::string& anchor_path) {
    const ErrorCapture capture;
    ReaderHandle reader(OTF2_Reader_Open(anchor_path.c_str()));
    if (!reader) {
        throw Error(capture.kind(OTF2_ERROR_INVALID_DATA),
                    "cannot read the archive {}: {}; name the *.otf2 anchor file of a complete "
                    "OTF2 archive, or use trace_compress --rescue if this one is damaged",
                    anchor_path, capture.reason(OTF2_ERROR_INVALID_DATA));
    }
    return reader;
}

ArchiveInfo read_anchor(const std::string& anchor_path) {
    const fs::path path(anchor_path);
    ArchiveInfo info;
    info.anchor_path = anchor_path;
    info.directory = path.has_parent_path() ? path.parent_path().string() : ".";
    info.name = path.stem().string();
    info.anchor_bytes = read_small_file(anchor_path, kLargestAnchor);
    refuse_impossible_properties(anchor_path, info.anchor_bytes);

    const ErrorCapture capture;
    const ReaderHandle reader = open_archive(anchor_path);
    read_numbers(reader.get(), info);
    read_texts(reader.get(), info);
    refuse_other_storage(info);
    return info;
}

}  // namespace tracefold::otf2
