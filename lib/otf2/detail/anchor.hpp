// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "otf2/detail/error_capture.hpp"

#include <string>

namespace tracefold::otf2 {

/// Maximum size of an anchor file in bytes: recorders write some hundred.
inline constexpr u64 kLargestAnchor = u64{16} << 20U;

/// Opens the archive of an anchor file. Throws an Error of one sentence.
ReaderHandle open_archive(const std::string& anchor_path);

/// Reads the anchor file completely; throws unless the archive is stored as plain files. Accepts
/// any version: unknown records are handled when files are read.
ArchiveInfo read_anchor(const std::string& anchor_path);

/// Parses a damaged anchor file: all facts, texts and properties before the damage. Missing facts
/// are those of an ArchiveInfo of this version, with chunks of size 0. Ignores bytes that do not
/// start like an anchor.
ArchiveInfo parse_anchor_remains(const std::string& bytes);

/// True if the archive is stored as plain files without compression.
bool is_plain(const ArchiveInfo& info);

/// Returns a complete anchor file with other numbers of locations and global definitions.
std::string with_counts(std::string bytes, u64 locations, u64 global_definitions);

}  // namespace tracefold::otf2
