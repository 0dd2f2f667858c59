// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <system_error>

namespace tracefold {

/// Removes a file, or a folder with all that is in it, links and not what they lead to. Nothing
/// there is no failure. Opens one folder at a time, and none for a file:
/// std::filesystem::remove_all() opens one for each level, which a process that has used up its
/// file descriptors cannot do. Goes on after a failure, and returns the first one. Memory: the
/// names in the folders of one path.
std::error_code remove_tree(const std::filesystem::path& path);

}  // namespace tracefold
