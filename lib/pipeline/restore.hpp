// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/archive_folder.hpp"
#include "pipeline/trace_file.hpp"

#include <string>

namespace tracefold {

/// Writes the archive that a file holds into `directory`, which must not exist or be empty (with
/// `force`: is replaced). The archive appears whole or not at all: it is written beside its place
/// and renamed. From archives of OTF2 3.x every file is byte-identical to the original with exact
/// timing. Returns the number of events.
u64 restore_archive(TraceFile& file, const std::string& directory, bool force,
                    const ProgressSink& progress);

}  // namespace tracefold
