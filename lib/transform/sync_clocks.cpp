// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/sync_clocks.hpp"

#include "archives/derived_source.hpp"
#include "archives/restore.hpp"
#include "base/error.hpp"
#include "model/archive_info.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/participant_names.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "transform/clocks/clock_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

namespace {

constexpr std::string_view kClocksProperty = "TRACEFOLD::CLOCKS";

ArchiveInfo info_of_synced(ArchiveInfo info, const std::string& text) {
    const bool has_expected_anchor = info.anchor_bytes == expected_anchor(info);
    return info_of_derived(std::move(info), kClocksProperty, text, has_expected_anchor);
}

/// A trace with corrected times of a single clock, as a source for folding. Everything except times
/// and the clock offsets, which are dropped, stays. Throws Error(corrupt).
class SyncedSource : public DerivedSource {
  public:
    /// All must outlive the source. `text`: the archive's description of its times.
    SyncedSource(TraceFile& file, const ProcessClocks& clocks, std::string text,
                 ProgressSink progress)
        : DerivedSource(file, info_of_synced(archive_as_restored(file), text), std::move(progress)),
          clocks_(clocks) {}

    [[nodiscard]] u64 archive_bytes() const override { return file_.summary().archive_bytes; }
    void read_global_definitions(const BatchSink& sink) override {
        drain(*file_.global_definitions(),
              [&](const RecordBatch& batch) { sink(with_span(batch)); });
    }

    /// Drops clock offsets: times are of one clock now.
    void read_local_definitions(u64 location, const BatchSink& sink) override {
        RecordBatch kept;
        drain(*file_.local_definitions(place_of(location)), [&](const RecordBatch& batch) {
            kept.clear();
            for (const RecordBatch::Head& head : batch.heads()) {
                const bool is_offset = head.type == static_cast<u8>(DefinitionType::ClockOffset);
                if (!is_offset) kept.append(batch, head);
            }
            if (!kept.empty()) sink(kept);
        });
    }

    u64 read_events(u64 location, const BatchSink& sink) override {
        const u32 place = place_of(location);
        u64 read = 0;
        Step last;
        bool first = true;
        RecordBatch corrected_batch;
        drain(*file_.events(place), [&](const RecordBatch& batch) {
            corrected_batch = batch;
            correct(place, corrected_batch, last, first);
            read += batch.size();
            sink(corrected_batch);
            progress(batch.size());
        });
        return read;
    }

    /// Over all events read so far.
    [[nodiscard]] const ClockDistortion& distortion() const { return distortion_; }

  private:
    struct Step {
        u64 common = 0;
        u64 corrected = 0;
    };

    void correct(u32 location, RecordBatch& batch, Step& last, bool& first) {
        const auto corrected = [&](u64 time) {
            Step step;
            step.common = clocks_.common(location, time);
            step.corrected = clocks_.corrected(location, step.common);
            return step;
        };
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const RecordBatch::Head& head = batch[i];
            if (head.type == static_cast<u8>(EventType::BufferFlush)) {
                const u64 stop = batch.values(head)[0];
                batch.add_to_value(head.first_value, corrected(stop).corrected - stop);
            }
            const Step now = corrected(head.time);
            batch.set_time(i, now.corrected);
            note(location, first ? now : last, now);
            last = now;
            first = false;
        }
    }

    void note(u32 location, const Step& before, const Step& now) {
        first_time_ = std::min(first_time_, now.corrected);
        last_time_ = std::max(last_time_, now.corrected);
        const u64 move = now.corrected - now.common;
        ++distortion_.events;
        distortion_.moved += move != 0 ? 1 : 0;
        distortion_.largest_move = std::max(distortion_.largest_move, move);
        const IntervalChange change{now.common - before.common, now.corrected - before.corrected,
                                    location, now.common};
        const u64 allowed = change.before / ClockCorrection::kSlope + 1;
        distortion_.bent += change.ticks() > allowed ? 1 : 0;
        if (change.ticks() > distortion_.largest.ticks()) distortion_.largest = change;
    }

    /// Every event must be in the clock span of the archive.
    [[nodiscard]] RecordBatch with_span(const RecordBatch& batch) const {
        RecordBatch result = batch;
        for (const RecordBatch::Head& head : batch.heads()) {
            const bool is_clock = head.type == static_cast<u8>(DefinitionType::ClockProperties);
            if (!is_clock || first_time_ > last_time_) continue;
            const std::span<const u64> values = batch.values(head);
            const u64 begin = std::min(values[1], first_time_);
            const u64 end = std::max(values[1] + values[2], last_time_);
            result.add_to_value(head.first_value + std::size_t{1}, begin - values[1]);
            result.add_to_value(head.first_value + std::size_t{2}, end - begin - values[2]);
        }
        return result;
    }

    const ProcessClocks& clocks_;
    ClockDistortion distortion_;
    u64 first_time_ = ~u64{0};  ///< over all events, corrected
    u64 last_time_ = 0;
};

/// Threads that wait for each other out of order need a few rounds.
constexpr int kMostRounds = 64;

void refuse_without_times(const TraceFile& file) {
    if (keeps_every_time(file.summary().timing)) return;
    throw Error(ErrorKind::usage,
                "correcting clocks needs the time of every record, which the file does not keep; "
                "fold the archive with --timing exact or quantized");
}

/// Throws Error(usage) without MPI.
std::vector<u32> synchronised_locations(TraceFile& file) {
    std::vector<u32> locations = walked_locations(file);
    if (locations.empty()) throw Error(ErrorKind::usage, "the trace has no MPI ranks");
    return locations;
}

/// Computes the corrections of a file's clocks.
class Synchroniser {
  public:
    Synchroniser(TraceFile& file, u64 latency)
        : file_(file), locations_(synchronised_locations(file)), latency_(latency), clocks_(file) {}

    void run(SyncReport& report) {
        report.before = count();
        report.after = report.before;
        if (report.before.agrees) return;
        correct();
        report.after = count();
        if (!report.after.agrees) {
            throw Error(ErrorKind::corrupt,
                        "the clocks cannot be corrected: the order of events is cyclic");
        }
    }

    [[nodiscard]] const ProcessClocks& clocks() const { return clocks_; }

  private:
    ClockOrder count() {
        ClockWalk walk(clocks_, file_.definitions(), locations_, ClockWalk::Task::count, latency_);
        check_replay(file_, walk, Times::read);
        return walk.order();
    }

    /// Jumps first; the walk that finds no more jumps sets the limits of the rises.
    void correct() {
        for (int round = 0; round < kMostRounds; ++round) {
            for (ClockCorrection& correction : clocks_.corrections()) correction.spread();
            ClockWalk walk(clocks_, file_.definitions(), locations_, ClockWalk::Task::correct,
                           latency_);
            check_replay(file_, walk, Times::read);
            if (walk.jumps() == 0) return;
        }
        throw Error(
            ErrorKind::unsupported,
            "the clocks cannot be corrected: calls are still in the wrong order after {} passes",
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
    file.keep_decoded_ticks();  // the trace is read at least three times
    SyncReport report;
    report.rate = file.definitions().tick_rate();
    const double ticks = report.rate.ticks(output.latency);
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

}  // namespace tracefold
