// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/event_file.hpp"

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

std::ifstream open_at_end(const std::string& path, u64& size) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        throw Error(ErrorKind::io, "cannot read " + path + ": " + std::strerror(errno));
    }
    size = static_cast<u64>(file.tellg());
    return file;
}

u64 number_at(const char* bytes, bool little_endian) {
    u64 number = 0;
    for (int i = 0; i < 8; ++i) {
        const auto byte = static_cast<u8>(bytes[little_endian ? 7 - i : i]);
        number = number << 8 | byte;
    }
    return number;
}

}  // namespace

bool ends_properly(const std::string& path) {
    u64 size = 0;
    std::ifstream file = open_at_end(path, size);
    if (size == 0) return false;
    file.seekg(-1, std::ios::end);
    return file.get() == kEndOfFile;
}

u64 event_count_on_file(const std::string& path, u64 chunk_size) {
    u64 size = 0;
    std::ifstream file = open_at_end(path, size);
    if (size == 0 || chunk_size == 0) return 0;
    file.seekg(static_cast<std::streamoff>((size - 1) / chunk_size * chunk_size));
    std::array<char, kHeaderSize> header{};
    if (!file.read(header.data(), kHeaderSize) || header[0] != kChunkHeader) return 0;
    return number_at(header.data() + kLastEvent, header[1] == kLittleEndian);
}

}  // namespace tracefold::otf2_detail
