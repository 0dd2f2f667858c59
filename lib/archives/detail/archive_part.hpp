// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "file/trace_file.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/file_encoder.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// A definition or event file of a folded archive.
struct ArchivePart {
    Stream stream = Stream::global_definitions;
    u32 location = 0;  ///< of local files

    /// As in ByteDifferences.
    [[nodiscard]] u64 number() const;
    [[nodiscard]] std::string path(const ArchiveFiles& files, const TraceFile& file) const;
    /// The file without its stored difference. `file` must outlive it; it throws Error(corrupt)
    /// also if the records cannot be encoded. `progress` counts events.
    [[nodiscard]] EncodedFile encode(TraceFile& file, const ProgressSink& progress) const;
};

/// The files that the archive had of a location.
std::vector<ArchivePart> parts_of_location(TraceFile& file, u32 location);

}  // namespace tracefold
