// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/scratch_folder.hpp"
#include "base/parallel.hpp"
#include "file/byte_differences.hpp"
#include "file/record_source.hpp"
#include "file/trace_file.hpp"
#include "fold/timing_store.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/file_difference.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// Throws Error(mismatch) unless the location still has those of its files that it had when it was
/// folded.
void check_files(TraceFile& file, const TraceSource& source, u32 location);

/// Regenerates the records of one location and compares them with their source: types, all fields,
/// attributes and, with exact timing, ticks. Throws Error(mismatch) at the first difference, naming
/// it. Memory: a batch of each side.
void verify_location(TraceFile& file, TraceSource& source, u32 location,
                     const ProgressSink& progress);

/// The same for the global definitions.
void verify_definitions(TraceFile& file, TraceSource& source);
/// The same for the durations of a file that keeps some.
void verify_durations(TraceFile& file, const TimingStore& folded);

/// Writes the files of an archive anew from a folded file, one after another, and compares their
/// bytes with the originals. Equal bytes prove that the folded file has all that the original says,
/// also of records that libotf2 reads in part only. Of other files it finds out what has to be
/// kept, after their records have been compared one by one. Disk: the files of one location.
/// Memory: a batch, two chunks, and what is kept.
class Rewriting {
  public:
    /// `source` is the archive that `file` was made of; both must outlive this object. What is
    /// written lies in a folder of its own in `scratch`. Precondition: source.files() is not null.
    Rewriting(TraceFile& file, TraceSource& source, const std::string& scratch);

    // Throw Error: mismatch if a record is another than in the archive; io, corrupt.
    void compare_global_definitions();
    void compare_location(u32 location, const ProgressSink& progress);

    /// What has to be kept of the files compared so far.
    [[nodiscard]] const std::vector<FileDifferences>& kept() const { return kept_; }
    /// Their share of ByteDifferences::checksum().
    [[nodiscard]] u64 checksum() const { return checksum_; }

  private:
    /// A file of the archive and the one that is written anew.
    struct Pair {
        u64 number;
        ArchiveFileLayout layout;
        std::string original;
        std::string rewritten;
        bool written = false;  ///< libotf2 could write it
    };

    /// True if `write` gives the same bytes. Otherwise keeps what is needed.
    bool compare(Pair pair, const std::function<void(ArchiveWriter&)>& write);
    bool is_same(Pair& pair, const std::function<void(ArchiveWriter&)>& write);
    void keep(const Pair& pair);

    TraceFile& file_;
    TraceSource& source_;
    ArchiveFiles originals_;
    ScratchArchive rewritten_;
    std::vector<FileDifferences> kept_;
    u64 checksum_ = 0;
};

}  // namespace tracefold
