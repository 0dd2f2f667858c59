// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "clocks/sync_clocks.hpp"

#include "core/error.hpp"
#include "names/participant_names.hpp"
#include "replay/check.hpp"
#include "replay/mpi_call_reader.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold::inline clocks {

namespace {

/// Threads that wait for each other out of order take a few rounds.
constexpr int kMostRounds = 64;

void refuse_without_times(const TraceFile& file) {
    if (keeps_every_time(file.summary().timing)) return;
    throw Error(ErrorKind::usage,
                "clocks are corrected by the time of every record, which the file does not keep; "
                "fold the archive with --timing exact or quantized");
}

/// As check_replay() numbers them.
std::vector<u32> walked_locations(TraceFile& file) {
    std::vector<u32> locations;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) locations.push_back(location);
    }
    if (locations.empty()) throw Error(ErrorKind::usage, "the trace has no MPI ranks");
    return locations;
}

/// Works out how the clocks of a file have to be corrected.
class Synchroniser {
  public:
    Synchroniser(TraceFile& file, u64 latency)
        : file_(file), locations_(walked_locations(file)), latency_(latency), clocks_(file) {}

    void run(SyncReport& report) {
        report.before = count();
        report.after = report.before;
        if (report.before.agrees) return;
        correct();
        report.after = count();
        if (!report.after.agrees) {
            throw Error(ErrorKind::corrupt,
                        "the clocks cannot be corrected: something takes place before itself");
        }
    }

    [[nodiscard]] const ProcessClocks& clocks() const { return clocks_; }

  private:
    ClockOrder count() {
        ClockWalk walk(clocks_, file_.definitions(), locations_, ClockWalk::Task::count, latency_);
        check_replay(file_, walk, Times::read);
        return walk.order();
    }

    /// Jumps first; the walk that finds no more of them knows the limits of how clocks rise.
    void correct() {
        for (int round = 0; round < kMostRounds; ++round) {
            for (ClockCorrection& correction : clocks_.corrections()) correction.spread();
            ClockWalk walk(clocks_, file_.definitions(), locations_, ClockWalk::Task::correct,
                           latency_);
            check_replay(file_, walk, Times::read);
            if (walk.jumps() == 0) return;
        }
        throw Error(ErrorKind::unsupported,
                    "the clocks cannot be corrected: after {} walks there still are calls in the "
                    "wrong order",
                    kMostRounds);
    }

    TraceFile& file_;
    std::vector<u32> locations_;
    u64 latency_;
    ProcessClocks clocks_;
};

std::string name_of(const TraceFile& file, u32 location) {
    const ParticipantNames names(file.definitions());
    const bool ranked = names.place(location).rank != kNone;
    return (ranked ? "rank " : "location ") + names.label(location);
}

}  // namespace

SyncReport sync_clocks(TraceFile& file, const SyncOutput& output) {
    refuse_without_times(file);
    file.keep_decoded_ticks();  // the trace is read three times or more
    SyncReport report;
    report.ticks_per_second = file.definitions().timer_resolution();
    const double ticks = output.latency * static_cast<double>(report.ticks_per_second);
    report.latency = std::max(u64{1}, static_cast<u64>(std::llround(ticks)));
    Synchroniser synchroniser(file, report.latency);
    synchroniser.run(report);
    for (const ClockCorrection& correction : synchroniser.clocks().corrections()) {
        report.corners += correction.corner_count();
    }
    SyncedSource source(file, synchroniser.clocks(),
                        "synchronised: interpolated offsets, controlled logical clock",
                        output.progress);
    report.file_bytes =
        fold_derived(file, source, {output.path, TimingLevel::exact, output.level, output.force});
    report.distortion = source.distortion();
    const u64 begin = file.definitions().clock_offset();
    report.largest_after =
        report.distortion.largest.time - std::min(begin, report.distortion.largest.time);
    report.largest_at = name_of(file, report.distortion.largest.location);
    report.dropped_files = source.dropped_files();
    return report;
}

}  // namespace tracefold::inline clocks
