// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/detail/archive_part.hpp"
#include "base/parallel.hpp"
#include "file/byte_differences.hpp"
#include "file/record_source.hpp"
#include "file/trace_file.hpp"
#include "fold/timing_store.hpp"
#include "otf2/archive_files.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Throws Error(mismatch) unless the location has the same files as when it was folded.
void check_files(TraceFile& file, const TraceSource& source, u32 location);

/// Regenerates the records of one location and compares them with their source: types, all fields,
/// attributes and, with exact timing, ticks. Events of an archive are first encoded, with the
/// archive's times, and compared with the bytes of its file; only if these differ are they compared
/// one by one. Throws Error(mismatch) at the first difference, naming it. Memory: a batch of each
/// side, a chunk.
void verify_location(TraceFile& file, TraceSource& source, u32 location,
                     const ProgressSink& progress);

void verify_definitions(TraceFile& file, TraceSource& source);
/// Verifies the durations of a file of that timing level.
void verify_durations(TraceFile& file, const TimingStore& folded);

/// Encodes the files of an archive from a folded file, one after another, and compares their bytes
/// with the originals. Equal bytes prove that the folded file is complete, including records that
/// libotf2 reads only in part. Files that differ are compared record by record, and their
/// differences stored. Needs no disk. Memory: a batch, two chunks, and the differences.
class ByteCheck {
  public:
    /// `source` is the archive from which `file` was made; both must outlive this object.
    /// Precondition: source.files() is not null.
    ByteCheck(TraceFile& file, TraceSource& source)
        : file_(file), source_(source), originals_(*source.files()) {}

    // Throw Error: mismatch if a record differs from the archive's; io, corrupt.
    void compare_global_definitions();
    void compare_location(u32 location, const ProgressSink& progress);

    /// The differences of the files compared so far.
    [[nodiscard]] const std::vector<FileDifferences>& kept() const { return kept_; }
    /// Their share of ByteDifferences::checksum().
    [[nodiscard]] u64 checksum() const { return checksum_; }

  private:
    /// True if the file has the same bytes; otherwise stores the difference.
    bool compare(const ArchivePart& part, const ProgressSink& progress);
    ContentDifferences difference(const ArchivePart& part, const std::string& original);

    TraceFile& file_;
    TraceSource& source_;
    ArchiveFiles originals_;
    std::vector<FileDifferences> kept_;
    u64 checksum_ = 0;
};

}  // namespace tracefold
