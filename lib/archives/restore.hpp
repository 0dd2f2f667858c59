// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tracefold {

/// Other times for the events of an archive that is written, in nanoseconds from 0 on. Clock
/// offsets are left out.
struct Retiming {
    std::string origin;  ///< what the archive says of its times
    /// The events of a location as the file has them, with their new times.
    std::function<std::unique_ptr<RecordSource>(u32 location)> events;
};

/// What the files of a restored archive have in common with the original ones.
enum class RestoredFiles {
    same_bytes,    ///< all bytes, if these were compared when the archive was folded
    same_records,  ///< the records, as the libotf2 and the processor at hand write them
};

/// What the anchor of the restored archive says. With times that were made up it cannot be the
/// original one: a property says so.
ArchiveInfo archive_as_restored(const TraceFile& file);

/// Writes the archive that a file holds into `directory`, which must not exist or be empty, or
/// (with `force`) hold an earlier archive of the same name and nothing else, which is replaced. The
/// archive appears whole or not at all: it is written beside its place and renamed. If
/// summary().exact_bytes says so, every file is byte-identical to the original, with any number of
/// threads; a checksum proves it. Returns the number of events. Throws Error: io,
/// corrupt; unsupported if the files have other bytes, as they may with another release of libotf2
/// or on a processor of another byte order.
TRACEFOLD_API u64 restore_archive(TraceFile& file, const std::string& directory, bool force,
                                  const ProgressSink& progress, u32 threads = 0,
                                  RestoredFiles files = RestoredFiles::same_bytes);

/// The same with other times.
u64 restore_retimed(TraceFile& file, const std::string& directory, const Retiming& retiming);

}  // namespace tracefold
