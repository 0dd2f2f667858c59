// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_files.hpp"

#include <string>

namespace tracefold::inline otf2::detail {

/// The archive that `path` means if its anchor file may be missing: an anchor file, whether it is
/// there or not, a file of global definitions, or a folder that has one of either, or only one
/// folder with event files. Throws Error: `usage` if there are several, `io` if there is none.
ArchiveFiles find_damaged_archive(const std::string& path);

}  // namespace tracefold::inline otf2::detail
