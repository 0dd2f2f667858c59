// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/anchor.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace tracefold::otf2 {
namespace {

namespace fs = std::filesystem;

/// libotf2 takes minutes or crashes on an anchor with an excessive number of properties. Checks
/// anchors of OTF2 3 only, whose layout is known; libotf2 detects other damage.
void refuse_impossible_properties(const std::string& path, const std::string& bytes) {
    constexpr std::size_t kByteOrder = 1;
    constexpr std::size_t kMajor = 9;
    constexpr std::size_t kTexts = 46;  // machine name, creator, description, each zero-terminated
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
    if (count <= bytes.size() / 2) return;  // name and value take at least one zero each
    throw Error(
        ErrorKind::corrupt,
        "cannot read the archive {}: the file is damaged (it claims to have {} properties){}", path,
        count, kDamageAdvice);
}

/// A string allocated by libotf2, or "" for none.
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

namespace {

constexpr std::string_view kMagic("OTF2\0", 5);
// Offsets of the facts in every anchor file. Texts follow.
constexpr std::size_t kMagicAt = 2;
constexpr std::size_t kVersionAt = 9;
constexpr std::size_t kEventChunkAt = 12;
constexpr std::size_t kDefinitionChunkAt = 20;
constexpr std::size_t kSubstrateAt = 28;
constexpr std::size_t kCompressionAt = 29;
constexpr std::size_t kLocationsAt = 30;
constexpr std::size_t kDefinitionsAt = 38;
constexpr std::size_t kTextsAt = 46;
constexpr u8 kPosix = 1;
constexpr u8 kSion = 2;
constexpr u8 kNoCompression = 1;
constexpr u8 kZlib = 2;

bool is_little_endian(const std::string& bytes) {
    return static_cast<u8>(bytes[1]) == ChunkHeader::kLittleEndian;
}

/// Reads the texts and properties after the facts, up to the damage.
class Remains {
  public:
    explicit Remains(const std::string& bytes) : bytes_(bytes) {}

    bool text(std::string& text) {
        const std::size_t end = bytes_.find('\0', position_);
        if (end == std::string::npos) return false;
        text = bytes_.substr(position_, end - position_);
        position_ = end + 1;
        return true;
    }

    bool number(std::size_t size, u64& number) {
        if (bytes_.size() - position_ < size) return false;
        number = at(position_, size);
        position_ += size;
        return true;
    }

    [[nodiscard]] u64 at(std::size_t position, std::size_t size) const {
        u8 raw[8];
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(position), size, raw);
        return raw_number(raw, size, is_little_endian(bytes_));
    }

  private:
    const std::string& bytes_;
    std::size_t position_ = kTextsAt;
};

bool read_properties(Remains& remains, ArchiveInfo& info) {
    u64 count = 0;
    if (!remains.number(4, count)) return false;
    std::string name;
    std::string value;
    for (u64 i = 0; i < count; ++i) {
        if (!remains.text(name) || !remains.text(value)) return false;
        info.properties.emplace_back(name, value);
    }
    return true;
}

void read_numbers(Remains& remains, ArchiveInfo& info) {
    u64 snapshots = 0;
    u64 thumbnails = 0;
    if (!remains.number(8, info.trace_id)) return;
    if (!remains.number(4, snapshots) || !remains.number(4, thumbnails)) return;
    info.snapshot_count = static_cast<u32>(snapshots);
    info.thumbnail_count = static_cast<u32>(thumbnails);
}

}  // namespace

ArchiveInfo parse_anchor_remains(const std::string& bytes) {
    ArchiveInfo info;
    info.version = {kOtf2Major, kOtf2Minor, 0};
    info.substrate = kPosix;
    info.compression = kNoCompression;
    if (bytes.size() < kTextsAt || bytes.compare(kMagicAt, kMagic.size(), kMagic) != 0) return info;
    Remains remains(bytes);
    for (std::size_t i = 0; i < info.version.size(); ++i) {
        info.version[i] = static_cast<u8>(bytes[kVersionAt + i]);
    }
    info.event_chunk_size = remains.at(kEventChunkAt, 8);
    info.definition_chunk_size = remains.at(kDefinitionChunkAt, 8);
    if (bytes[kSubstrateAt] == kSion) info.substrate = kSion;
    if (bytes[kCompressionAt] == kZlib) info.compression = kZlib;
    info.location_count = remains.at(kLocationsAt, 8);
    info.global_definition_count = remains.at(kDefinitionsAt, 8);
    const bool texts = remains.text(info.machine_name) && remains.text(info.creator) &&
                       remains.text(info.description);
    if (texts && read_properties(remains, info)) read_numbers(remains, info);
    return info;
}

bool is_plain(const ArchiveInfo& info) {
    return info.substrate == kPosix && info.compression == kNoCompression;
}

std::string with_counts(std::string bytes, u64 locations, u64 global_definitions) {
    const bool little_endian = is_little_endian(bytes);
    bytes.replace(kLocationsAt, 8, number_bytes(locations, little_endian));
    bytes.replace(kDefinitionsAt, 8, number_bytes(global_definitions, little_endian));
    return bytes;
}

}  // namespace tracefold::otf2
