// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/restore.hpp"

namespace tracefold {

/// Writes the anchor, definition and event files of an archive from a folded file: with libotf2,
/// and then as the bytes that are kept say. `directory` holds no archive of that name. Several
/// threads share the locations out, 0 being one per core where there are events enough; progress is
/// told by one of them at a time. Returns the number of events. Throws Error as restore_archive().
u64 restore_files(TraceFile& file, const std::string& directory, const ProgressSink& progress,
                  u32 threads, RestoredFiles files);

}  // namespace tracefold
