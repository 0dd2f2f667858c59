// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

namespace tracefold {

/// Moves a file or folder to a place where nothing is; an empty folder counts as nothing for a
/// folder. False, and nothing moved, if something is there. Throws Error(io).
bool place_new(const std::filesystem::path& made, const std::filesystem::path& place);

/// Exchanges what was made and what is at the place, in one step where the file system can do that
/// (renameat2), else as exchange_by_renames(). Throws Error(io), and then both are as before.
void exchange(const std::filesystem::path& made, const std::filesystem::path& place);

/// The same by renaming both, with "MADE.old" in between. A file is never missing from its place if
/// the file system has hard links; a folder is missing for a moment.
void exchange_by_renames(const std::filesystem::path& made, const std::filesystem::path& place);

}  // namespace tracefold
