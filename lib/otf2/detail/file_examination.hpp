// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/detail/record_scanner.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tracefold::otf2 {

inline constexpr u64 kAll = ~u64{0};

/// The readable part of an event or definition file.
struct FileExamination {
    RawFileKind kind = RawFileKind::events;
    bool ended = false;     ///< has an end mark and no damage before it
    u64 records = 0;        ///< number of complete records
    u64 expected = 0;       ///< number of the last event, by the last chunk header
    u64 kept_bytes = 0;     ///< up to the end of the last complete record
    u64 lost_bytes = 0;     ///< except kept_bytes, marks and fill between chunks
    u64 chunk_size = 0;     ///< as RecordScanner::chunk_size()
    u64 chunk_at = 0;       ///< offset of the chunk with the last record
    ChunkHeader chunk;      ///< its header
    u64 chunk_records = 0;  ///< complete records in this chunk
    u64 locations = 0;      ///< location definitions, in a file of global definitions

    /// True if libotf2 reads the file to its end and finds all events; extra ones are accepted.
    [[nodiscard]] bool is_whole() const { return ended && records >= expected; }
};

/// Reads a file, completely or up to its first `most` records. Other arguments: RecordScanner.
FileExamination examine_file(const std::string& path, RawFileKind kind, u64 chunk_size,
                             const std::string& what, u64 most = kAll);

/// Infers the chunk size of an archive's files from the first file with two chunks. If there is
/// none, returns a size that holds the largest file, at least `usual`.
u64 infer_chunk_size(const std::vector<std::string>& paths, RawFileKind kind, u64 usual);

/// The raw bytes of a record, mark and length included.
using RecordBytes = std::string;

/// Writes the readable part of `from`, according to `examination`, as a file with a proper end;
/// more records may follow in definition files. A missing `from` counts as empty. Throws Error(io).
void write_mended(const std::filesystem::path& from, const FileExamination& examination,
                  const std::filesystem::path& to, const std::vector<RecordBytes>& more = {});

}  // namespace tracefold::otf2
