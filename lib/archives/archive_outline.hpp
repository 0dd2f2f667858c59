// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_reader.hpp"

#include <string>

namespace tracefold {

/// What the definitions of an archive tell of its processes, before anything is folded.
struct ArchiveOutline {
    u32 ranks = 0;  ///< 0 without MPI
    /// An MPI process has more locations than the one that stands for it. Only such processes may
    /// have called MPI from several threads; whether they did, their events tell.
    bool has_threads = false;
};

/// Throws Error as ArchiveReader. Cost: reads the global definitions.
ArchiveOutline outline_archive(const std::string& path, const ArchiveReaderOptions& options);

}  // namespace tracefold
