// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_info.hpp"
#include "otf2/detail/handles.hpp"

#include <string>

namespace tracefold::otf2_detail {

/// Opens the archive of an anchor file. Throws Error in one sentence.
ReaderHandle open_archive(const std::string& anchor_path);

/// Reads everything that the anchor file says and refuses archives that cannot be read completely;
/// newer versions only if not `allow_newer`.
ArchiveInfo read_anchor(const std::string& anchor_path, bool allow_newer);

}  // namespace tracefold::otf2_detail
