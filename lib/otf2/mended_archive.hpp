// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/archive_info.hpp"
#include "otf2/archive_reader.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// An archive that can be read completely.
struct MendedArchive {
    std::string anchor;            ///< the anchor to open; the original one if nothing is damaged
    std::string original_anchor;   ///< of the damaged archive, even if missing
    std::vector<FileLoss> losses;  ///< anchor, global definitions, then locations
};

struct MendOptions {
    ArchiveReaderOptions reading;
    bool with_extra_files = false;  ///< the extra files must be in the folder as well
};

/// Examines every file of an archive and, if any is damaged or missing, builds a readable archive
/// of the same name in `folder`: links to intact files, copies of damaged ones up to their last
/// complete record, empty event files for missing ones, a matching anchor file. Locations with lost
/// definitions are defined anew. `folder` must be empty and exist until the archive has been read;
/// the archive itself is not changed.
///
/// `path` is an anchor file, existing or not, a file of global definitions, or a folder with
/// either. Throws Error: `io` if there is no archive, if the global definitions are missing, or if
/// a file cannot be read or written; `unsupported` as ArchiveReader.
///
/// Cost: reads every file of the archive twice, as bytes and as records. Memory: a window of 1 MiB,
/// and a few numbers per location.
MendedArchive mend_archive(const std::string& path, const std::string& folder,
                           const MendOptions& options);

}  // namespace tracefold
