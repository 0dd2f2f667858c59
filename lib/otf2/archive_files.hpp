// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// The locations with files in the archive's folder. Memory: eight bytes per file.
struct LocationFiles {
    std::vector<u64> local_definitions;  ///< all ascending
    std::vector<u64> events;

    [[nodiscard]] bool has_local_definitions(u64 location) const;
    [[nodiscard]] bool has_events(u64 location) const;
};

/// Files in an archive's directory that do not belong to it: relative paths, sorted.
struct ExtraFiles {
    std::vector<std::string> files;
    /// Links out of the directory, dangling links, links to folders, unreadable and special files.
    std::vector<std::string> left_out;
};

/// The files of an archive on disk, identified by name only (POSIX substrate).
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

    /// Lists the archive's folder once, which is cheaper than a check per file. Empty if the folder
    /// is missing. Throws Error(io) if it cannot be listed.
    [[nodiscard]] LocationFiles of_locations() const;

    /// See ArchiveReader. Both walk the directory: cost is linear in the number of files.
    [[nodiscard]] std::vector<std::string> companions(const std::vector<u64>& locations) const;
    [[nodiscard]] ExtraFiles extras() const;

    /// True if a path in the directory, such as "traces/0.evt", has the name of an archive file.
    [[nodiscard]] bool has(const std::string& file) const;

    /// Returns the first existing file or folder of the archive, or "".
    [[nodiscard]] std::string existing() const;

  private:
    std::string directory_;
    std::string name_;
};

/// The archive of an anchor file, which may be missing.
ArchiveFiles files_of(const std::string& anchor);

/// Lists the regular files in `folder` (not below) with this extension, such as ".otf2", sorted.
/// Throws std::filesystem::filesystem_error.
std::vector<std::string> files_in(const std::string& folder, const std::string& extension);

/// Returns the anchor file of `path`: itself, or the only "*.otf2" file of that folder. Throws
/// Error `io` if there is none, `usage` if there are several (listed).
std::string find_anchor(const std::string& path);

}  // namespace tracefold
