// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "otf2/detail/handles.hpp"

#include <string>

namespace tracefold::otf2 {

/// Bytes that an anchor file may have: those of recorders have some hundred.
inline constexpr u64 kLargestAnchor = u64{16} << 20U;

/// Opens the archive of an anchor file. Throws Error in one sentence.
ReaderHandle open_archive(const std::string& anchor_path);

/// Reads everything that the anchor file says and refuses archives in another storage than plain
/// files. The version refuses none: records that nobody here knows are met when files are read.
ArchiveInfo read_anchor(const std::string& anchor_path);

}  // namespace tracefold::otf2
