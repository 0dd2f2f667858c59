// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Which locations have files of their own, as a look into the archive's folder found them. Memory:
/// eight bytes for each file.
struct LocationFiles {
    std::vector<u64> local_definitions;  ///< rising, as are the others
    std::vector<u64> events;

    [[nodiscard]] bool has_local_definitions(u64 location) const;
    [[nodiscard]] bool has_events(u64 location) const;
};

/// What lies beside an archive's own files, relative to its directory, sorted.
struct ExtraFiles {
    std::vector<std::string> files;
    /// Links that lead out of the directory or nowhere, links to folders, folders that cannot be
    /// listed, and what is no regular file.
    std::vector<std::string> left_out;
};

/// The files of an archive on disk, by their names alone (POSIX substrate).
class ArchiveFiles {
  public:
    ArchiveFiles() = default;
    ArchiveFiles(std::string directory, std::string name);

    [[nodiscard]] const std::string& directory() const { return directory_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string anchor() const;
    [[nodiscard]] std::string global_definitions() const;
    [[nodiscard]] std::string local_definitions(u64 location) const;
    [[nodiscard]] std::string events(u64 location) const;

    /// Walks the archive's folder once, which costs less than asking for each file. Without a
    /// folder there are none. Throws Error(io) if it cannot be listed.
    [[nodiscard]] LocationFiles of_locations() const;

    /// See ArchiveReader. Both walk the directory: cost follows the number of files.
    [[nodiscard]] std::vector<std::string> companions(const std::vector<u64>& locations) const;
    [[nodiscard]] ExtraFiles extras() const;

    /// Whether a file of the directory, as "traces/0.evt", is named like one of the archive.
    [[nodiscard]] bool has(const std::string& file) const;

    /// The first file or folder of the archive that exists, or "".
    [[nodiscard]] std::string existing() const;

  private:
    std::string directory_;
    std::string name_;
};

/// The archive of an anchor file, which need not exist.
ArchiveFiles files_of(const std::string& anchor);

/// Names of the regular files in `folder` (not below) that have this extension, ".otf2", sorted.
/// Throws std::filesystem::filesystem_error.
std::vector<std::string> files_in(const std::string& folder, const std::string& extension);

/// The anchor file that `path` means: itself, or the only "*.otf2" file of that folder. Throws
/// Error `io` if there is none, `usage` if there are several (listed).
std::string find_anchor(const std::string& path);

}  // namespace tracefold
