// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// How the bytes of an archive's file are laid out.
struct ArchiveFileLayout {
    bool events = false;  ///< an event file; else one of definitions
    u64 chunk_size = 0;   ///< bytes
};

/// True if both files have the same bytes. Throws Error(io). Memory: constant.
bool same_bytes(const std::string& a, const std::string& b);

/// A checksum of a file's bytes. Throws Error(io).
u64 file_checksum(const std::string& path);

/// What turns `rewritten`, a file that libotf2 wrote from the records of `original`, into
/// `original`: older libraries write fewer fields, text tools append a newline. Both files are
/// walked record by record; a record is expected to differ as the last one of its type did, so that
/// fields that all records of a type lack are said once (docs/reference/format.md, "Kept bytes").
/// Memory: the difference and a window of each file. Throws Error(io).
std::string file_difference(const std::string& rewritten, const std::string& original,
                            const ArchiveFileLayout& layout);

/// The inverse: makes `path`, a file that libotf2 wrote, the original. Throws Error: io; corrupt if
/// the difference, which nobody vouches for, does not fit the file. Memory: constant.
void apply_difference(const std::string& path, std::string_view difference,
                      const ArchiveFileLayout& layout);

}  // namespace tracefold
