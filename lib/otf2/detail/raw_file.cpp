// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/raw_file.hpp"

#include "core/error.hpp"
#include "io/regular_file.hpp"
#include "otf2/detail/record_scanner.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

namespace tracefold::otf2_detail {
namespace {

/// As the header of the last chunk says; nothing if no chunk begins where it should.
std::optional<u64> last_event(std::ifstream& file, u64 size, u64 chunk_size) {
    file.seekg(static_cast<std::streamoff>((size - 1) / chunk_size * chunk_size));
    std::array<u8, ChunkHeader::kSize> bytes{};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    if (!file.read(reinterpret_cast<char*>(bytes.data()), bytes.size())) return {};
    const auto header = parse_chunk_header(bytes);
    if (!header) return {};
    return header->last_event;
}

/// True if the file ends as libotf2 ends it.
bool ends_with_marks(std::ifstream& file) {
    file.seekg(-2, std::ios::end);
    return file.get() == kEndOfFile && file.get() == kEndOfBuffer;
}

/// The files of an archive have fixed endings.
RawFileKind kind_of(const std::string& path) {
    return path.ends_with(".evt") ? RawFileKind::events : RawFileKind::definitions;
}

/// Something follows the end mark, or there is none, or what looks like one ends no chunk. Only a
/// walk through the file tells.
RawFile find_end(const std::string& path, u64 chunk_size, const std::string& what) {
    RecordScanner scanner(path, kind_of(path), chunk_size, what);
    RawFile raw;
    raw.size = scanner.file_size();
    RawElement element;
    while (scanner.next(element)) {
        if (element.kind == ElementKind::chunk_header) raw.last_event = element.header.last_event;
        if (element.kind == ElementKind::end_mark) raw.ended = true;
        if (element.kind != ElementKind::trailing_bytes || element.size <= kLargestChunk) continue;
        throw Error(
            ErrorKind::corrupt,
            "cannot read {}: {} bytes follow its end mark, which no tool adds; cut them off", what,
            element.size);
    }
    return raw;
}

}  // namespace

RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what) {
    expect_regular_file(path, what);
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        const bool lost = errno == ENOENT && kind_of(path) == RawFileKind::events;
        throw Error(ErrorKind::io, "cannot read {}: {}{}", what, std::strerror(errno),
                    lost ? "; trace_compress --rescue goes on without them" : "");
    }
    RawFile raw;
    raw.size = static_cast<u64>(file.tellg());
    if (raw.size < 2 || chunk_size == 0) return raw;
    if (!ends_with_marks(file)) return find_end(path, chunk_size, what);
    const std::optional<u64> last = last_event(file, raw.size, chunk_size);
    if (!last) return find_end(path, chunk_size, what);
    raw.ended = true;
    raw.last_event = *last;
    return raw;
}

}  // namespace tracefold::otf2_detail
