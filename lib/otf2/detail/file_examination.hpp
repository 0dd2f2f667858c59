// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/detail/record_scanner.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tracefold::otf2 {

inline constexpr u64 kAll = ~u64{0};

/// How far an event or definition file can be read.
struct FileExamination {
    RawFileKind kind = RawFileKind::events;
    bool ended = false;     ///< has an end mark; nothing before it is damaged
    u64 records = 0;        ///< complete ones
    u64 expected = 0;       ///< number of the last event, as the last chunk header says
    u64 kept_bytes = 0;     ///< up to the end of the last complete record
    u64 lost_bytes = 0;     ///< that are neither in kept_bytes nor marks or fill between chunks
    u64 chunk_size = 0;     ///< as RecordScanner::chunk_size()
    u64 chunk_at = 0;       ///< where the chunk of the last record begins
    ChunkHeader chunk;      ///< its header
    u64 chunk_records = 0;  ///< complete ones in it
    u64 locations = 0;      ///< definitions of locations, in a file of global definitions

    /// True if libotf2 reads it to its end and finds all events. More than expected do not harm.
    [[nodiscard]] bool is_whole() const { return ended && records >= expected; }
};

/// Reads a file once, from begin to end, or up to its first `most` records, as if the rest were
/// damaged. See RecordScanner for the other arguments and errors.
FileExamination examine_file(const std::string& path, RawFileKind kind, u64 chunk_size,
                             const std::string& what, u64 most = kAll);

/// The size of the chunks that the files of an archive are cut into, found in the first file that
/// has two. If none has, a size that holds the largest of them, but at least `usual`.
u64 infer_chunk_size(const std::vector<std::string>& paths, RawFileKind kind, u64 usual);

/// A record of which only the bytes are known, mark and length included.
using RecordBytes = std::string;

/// Writes what can be read of `from`, which `examination` is about, as a file with a proper end.
/// More records may follow; for definition files only. A `from` that does not exist has nothing.
/// Throws Error(io).
void write_mended(const std::filesystem::path& from, const FileExamination& examination,
                  const std::filesystem::path& to, const std::vector<RecordBytes>& more = {});

}  // namespace tracefold::otf2
