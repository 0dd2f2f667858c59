// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_reader.hpp"

#include <string>
#include <vector>

namespace tracefold::testing {

/// Copies an archive record by record into `directory`; companion files are copied as bytes.
void copy_archive(ArchiveReader& reader, const std::string& directory);

/// Names of the files (relative) that only one of the folders has or whose bytes differ. Files that
/// `reader` calls extra are not expected in `copy`.
std::vector<std::string> differing_files(const ArchiveReader& reader, const std::string& copy);

/// The whole file, or "" if it cannot be read.
std::string file_bytes(const std::string& path);

/// Ids of all locations in the global definitions, in source order.
std::vector<u64> location_ids(ArchiveReader& reader);

}  // namespace tracefold::testing
