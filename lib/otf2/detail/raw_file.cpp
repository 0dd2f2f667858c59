// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/raw_file.hpp"

#include "core/error.hpp"
#include "io/file.hpp"
#include "otf2/detail/record_scanner.hpp"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace tracefold::otf2 {
namespace {

/// The files of an archive have fixed endings.
RawFileKind kind_of(const std::string& path) {
    return path.ends_with(".evt") ? RawFileKind::events : RawFileKind::definitions;
}

/// Walks to the end of the file.
RawFile walk(RecordScanner& scanner, const std::string& what) {
    RawFile raw;
    raw.size = scanner.file_size();
    RawElement element;
    while (scanner.skip_records(), scanner.next(element)) {
        if (element.kind == ElementKind::chunk_header) raw.last_event = element.header.last_event;
        if (element.kind == ElementKind::end_mark) raw.ended = true;
        if (element.kind == ElementKind::damage) {
            raw.reason = element.reason;
            raw.damage = element.offset;
        }
        if (element.kind != ElementKind::trailing_bytes || element.size <= kLargestChunk) continue;
        throw Error(
            ErrorKind::corrupt,
            "cannot read {}: {} bytes follow its end mark, which no tool adds; cut them off", what,
            element.size);
    }
    return raw;
}

}  // namespace

void expect_present(const std::string& path, const std::string& what) {
    expect_regular_file(path, what);
    if (::access(path.c_str(), R_OK) == 0) return;
    const bool lost = errno == ENOENT && kind_of(path) == RawFileKind::events;
    throw Error(ErrorKind::io, "cannot read {}: {}{}", what, std::strerror(errno),
                lost ? "; trace_compress --rescue goes on without them" : "");
}

RawFile inspect_file(const std::string& path, u64 chunk_size, const std::string& what) {
    expect_present(path, what);
    if (RecordScanner scanner(path, kind_of(path), chunk_size, what); scanner.chunk_size() != 0) {
        scanner.go_to_last_chunk();
        const RawFile raw = walk(scanner, what);
        if (raw.ended) return raw;
    }
    RecordScanner scanner(path, kind_of(path), chunk_size, what);
    return walk(scanner, what);
}

}  // namespace tracefold::otf2
