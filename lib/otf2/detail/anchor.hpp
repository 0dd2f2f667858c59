// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "otf2/detail/error_capture.hpp"

#include <string>

namespace tracefold::otf2 {

/// Bytes that an anchor file may have: those of recorders have some hundred.
inline constexpr u64 kLargestAnchor = u64{16} << 20U;

/// Opens the archive of an anchor file. Throws Error in one sentence.
ReaderHandle open_archive(const std::string& anchor_path);

/// Reads everything that the anchor file says and refuses archives in another storage than plain
/// files. The version refuses none: records that nobody here knows are met when files are read.
ArchiveInfo read_anchor(const std::string& anchor_path);

/// What can still be read of a damaged anchor file: all facts, texts and properties before the
/// damage. What is not there is as in an ArchiveInfo of the version known here, with chunks of size
/// 0. Nothing is believed of bytes that do not start like an anchor.
ArchiveInfo parse_anchor_remains(const std::string& bytes);

/// True if the archive is stored as plain files without compression.
bool is_plain(const ArchiveInfo& info);

/// The bytes of a whole anchor file, but with other numbers of locations and global definitions.
std::string with_counts(std::string bytes, u64 locations, u64 global_definitions);

}  // namespace tracefold::otf2
