// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <filesystem>
#include <string>

namespace tracefold::inline io {

/// Throws Error(io), which names `what`, if there is something at the path that is not a regular
/// file: to open a named pipe may take for ever, and a device may have no end.
void expect_regular_file(const std::filesystem::path& path, const std::string& what);

/// The content of a regular file. Throws Error(io) if it has more than `most` bytes.
std::string read_small_file(const std::filesystem::path& path, u64 most);

}  // namespace tracefold::inline io
