// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/raw_file.hpp"

#include "core/error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace tracefold::otf2_detail {
namespace {

// A chunk starts with: mark, byte order, number of its first event, number of its last event.
constexpr u8 kEndOfFile = 0x01;
constexpr u8 kChunkHeader = 0x03;
constexpr u8 kLittleEndian = 'B';
constexpr std::size_t kLastEvent = 10;
constexpr std::size_t kHeaderSize = 18;

u64 number_at(const char* bytes, bool little_endian) {
    u64 number = 0;
    for (int i = 0; i < 8; ++i) {
        const auto byte = static_cast<u8>(bytes[little_endian ? 7 - i : i]);
        number = number << 8 | byte;
    }
    return number;
}

u64 last_event(std::ifstream& file, u64 size, u64 chunk_size) {
    file.seekg(static_cast<std::streamoff>((size - 1) / chunk_size * chunk_size));
    std::array<char, kHeaderSize> header{};
    if (!file.read(header.data(), kHeaderSize) || header[0] != kChunkHeader) return 0;
    return number_at(header.data() + kLastEvent, header[1] == kLittleEndian);
}

}  // namespace

RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        throw Error(ErrorKind::io, "cannot read " + what + ": " + std::strerror(errno));
    }
    RawFile raw;
    raw.size = static_cast<u64>(file.tellg());
    if (raw.size == 0 || chunk_size == 0) return raw;
    file.seekg(-1, std::ios::end);
    raw.ended = file.get() == kEndOfFile;
    raw.last_event = last_event(file, raw.size, chunk_size);
    return raw;
}

}  // namespace tracefold::otf2_detail
