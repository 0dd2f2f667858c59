// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/container.hpp"
#include "file/record_source.hpp"
#include "model/archive_info.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

class TraceFile;

struct CompressOptions {
    std::string archive;  ///< anchor file, or its folder
    std::string output;
    std::string producer;  ///< name and version of the program
    TimingLevel timing = TimingLevel::exact;
    u32 time_error_ppm = 10'000;  ///< for quantized times, in parts per million
    bool verify = true;
    /// With exact timing and verification: store differences of files that other releases of
    /// libotf2 wrote, which makes every file of the archive restorable byte by byte.
    bool exact_bytes = true;
    int level = 19;  ///< of zstd
    /// Sections by zstd alone, without dictionary and context models: larger, but readable with
    /// only zstd and the specification.
    bool portable = false;
    /// Threads per process that share its locations, the same in all processes; 0: for a single
    /// process, one per core if there are enough events.
    u32 threads = 0;
    /// Refuse traces that cannot be restored as an archive; not needed for temporary files.
    bool restorable = false;
    bool drop_unknown = false;
    bool rescue = false;  ///< fold the intact part of a damaged archive
    bool with_extra_files = false;
    bool force = false;
    /// Called once with the expected number of records of this process (twice that with
    /// verification), by the definitions.
    ProgressSink expected_records;
    /// Called with the progress of this process, by one thread at a time.
    ProgressSink progress;
    /// Called on rank 0 with the complete file before the output appears: what it throws leaves
    /// nothing.
    std::function<void(TraceFile&)> approve;
};

struct CompressReport {
    u32 ranks = 0;
    u32 locations = 0;
    u64 events = 0;
    u64 raw_records = 0;
    u64 archive_bytes = 0;
    u64 file_bytes = 0;
    u64 dropped_unknown_records = 0;
    u64 dropped_clock_offsets = 0;
    bool knows_tick_rate = true;        ///< DefinitionIndex::knows_tick_rate()
    bool exact_bytes = false;           ///< restoring reproduces every byte of the archive's files
    u64 kept_files = 0;                 ///< number of files with stored differences
    std::vector<FileLoss> losses;       ///< the damage, if the archive was rescued
    std::vector<std::string> left_out;  ///< extra files outside the archive's folder
    std::vector<Section> sections;
};

/// Folds an archive into a file. Collective over `comm`: each process reads a block of location
/// groups, results are merged along a tree, and each process writes ticks at its own offsets. The
/// bytes are the same for every number of processes. The output appears complete or not at all;
/// with `verify` only after every record was regenerated from it and compared with the archive, or
/// the files were encoded and compared byte by byte. Throws the same Error on all processes. The
/// report is complete on rank 0 only.
TRACEFOLD_API CompressReport compress(Communicator& comm, const CompressOptions& options);

/// Folds a trace from any source that is the same on all processes: ignores `options.archive`,
/// `options.drop_unknown` and `options.rescue`.
CompressReport compress(Communicator& comm, const CompressOptions& options, TraceSource& source);

/// Formats and libraries for a tool's --version: pairs of a name and a version.
TRACEFOLD_API std::vector<std::pair<std::string, std::string>> format_versions();

}  // namespace tracefold
