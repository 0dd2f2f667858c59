// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/container.hpp"
#include "file/record_source.hpp"
#include "model/archive_info.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct CompressOptions {
    std::string archive;  ///< anchor file, or the folder that holds it
    std::string output;
    std::string producer;  ///< name and version of the program
    TimingLevel timing = TimingLevel::exact;
    u32 time_error_ppm = 10'000;  ///< of quantized times, in parts per million
    bool verify = true;
    /// With exact timing and verification: keep what libotf2 does not write anew as it was, so that
    /// every file of the archive comes back byte by byte.
    bool exact_bytes = true;
    int level = 19;  ///< of zstd
    /// Sections by zstd alone, with neither dictionary nor models: larger, and readable with
    /// nothing but zstd and the specification.
    bool portable = false;
    /// Threads of each process among which its locations are shared out, the same in all
    /// processes; 0: if a process is alone one for each core, as far as there are events enough.
    u32 threads = 0;
    /// Refuse what could not be restored as an archive; a file for a while need not be.
    bool restorable = false;
    bool drop_unknown = false;
    bool rescue = false;  ///< keep what is complete of a damaged archive
    bool with_extra_files = false;
    bool force = false;
    /// Told once how many records this process will work on (twice with verification), as far as
    /// the definitions know.
    ProgressSink expected_records;
    /// Called on this process with its own part of the work, by one thread at a time.
    ProgressSink progress;
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
    bool exact_bytes = false;           ///< restoring gives every byte of the archive's files
    u64 kept_files = 0;                 ///< of which bytes had to be kept for that
    std::vector<FileLoss> losses;       ///< what was damaged, if it was rescued
    std::vector<std::string> left_out;  ///< extra files that are none of the archive's folder
    std::vector<Section> sections;
};

/// Folds an archive into a file. Collective over `comm`: each process reads a block of location
/// groups, results are merged along a tree, ticks are written by each process at its own offsets.
/// The same bytes for every number of processes. The output appears whole or not at all, and with
/// `verify` only after every record was regenerated from it and compared with the archive, or the
/// files were written anew and compared byte by byte. Throws
/// the same Error on all processes. The report is complete on rank 0 only.
TRACEFOLD_API CompressReport compress(Communicator& comm, const CompressOptions& options);

/// The same with a trace from anywhere, which all processes see alike: `options.archive`,
/// `options.drop_unknown` and `options.rescue` are not looked at.
CompressReport compress(Communicator& comm, const CompressOptions& options, TraceSource& source);

}  // namespace tracefold
