// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "otf2/archive_reader.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// An archive that can be read to its end.
struct MendedArchive {
    std::string anchor;            ///< to be opened; the archive's own if nothing is damaged
    std::string original_anchor;   ///< of the damaged archive, whether it is there or not
    std::vector<FileLoss> losses;  ///< anchor, global definitions, then locations
};

struct MendOptions {
    /// Gives the bytes of an anchor file with these facts; used if the anchor file is damaged.
    std::function<std::string(const ArchiveInfo&)> write_anchor;
    ArchiveReaderOptions reading;
    bool with_extra_files = false;  ///< ArchiveReader::extra_files() must find those of the archive
};

/// Examines every file of an archive and, if any is damaged or missing, builds an archive of the
/// same name in `folder`: links to the sound files, copies of the damaged ones up to their last
/// complete record, no events where they are missing, an anchor file that fits. Locations whose
/// definitions are lost are defined anew. `folder` must be empty and stay until the archive was
/// read; nothing is written outside. The archive itself is not changed.
///
/// `path` is an anchor file, there or not, a file of global definitions, or a folder that has one
/// of either. Throws Error: `io` if there is no archive, if the global definitions are missing, or
/// if a file cannot be read or written; `unsupported` as ArchiveReader.
///
/// Cost: reads every file of the archive twice, as bytes and as records. Memory: a window of 1 MiB,
/// and some numbers for each location.
MendedArchive mend_archive(const std::string& path, const std::string& folder,
                           const MendOptions& options);

}  // namespace tracefold
