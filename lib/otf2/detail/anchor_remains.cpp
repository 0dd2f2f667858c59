// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/anchor_remains.hpp"

#include "otf2/detail/raw_bytes.hpp"

#include <algorithm>
#include <string_view>

namespace tracefold::otf2 {

namespace {

constexpr std::string_view kMagic("OTF2\0", 5);
// Places of the facts that every anchor file has. Texts follow.
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

/// Reads what follows the facts, as far as it is there.
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
