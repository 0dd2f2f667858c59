// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// The byte layout of an archive file.
struct ArchiveFileLayout {
    bool events = false;  ///< an event file, otherwise one of definitions
    u64 chunk_size = 0;   ///< bytes
};

/// True if both files have the same bytes. Throws Error(io). Memory: constant.
bool same_bytes(const std::string& a, const std::string& b);

/// A checksum of a file's bytes. Throws Error(io).
u64 file_checksum(const std::string& path);

/// Computes the difference that turns `rewritten`, which libotf2 wrote from the records of
/// `original`, into `original`: older libraries write fewer fields, text tools append a newline.
/// Compares record by record; each record is expected to differ as the last one of its type did, so
/// a field that all records of a type lack is encoded once (docs/reference/format.md, "Kept
/// bytes"). Memory: the difference and a window of each file. Throws Error(io).
std::string file_difference(const std::string& rewritten, const std::string& original,
                            const ArchiveFileLayout& layout);

/// Applies a difference to `path`, a file that libotf2 wrote, which then equals the original.
/// Throws Error: io; corrupt if the untrusted difference does not fit the file. Memory: constant.
void apply_difference(const std::string& path, std::string_view difference,
                      const ArchiveFileLayout& layout);

}  // namespace tracefold
