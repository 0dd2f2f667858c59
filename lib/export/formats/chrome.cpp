// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/chrome.hpp"

#include "base/json_writer.hpp"
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "export/formats/rank_walk.hpp"
#include "file/io_files.hpp"
#include "file/region_stack.hpp"
#include "model/record_kinds.hpp"
#include "model/region_role.hpp"
#include "mpi/communicator_table.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tracefold {

ChromeTracks::ChromeTracks(const DefinitionIndex& definitions)
    : definitions_(definitions), names_(definitions) {
    for (const ParticipantNames::Place& place : names_.numbered_places()) {
        tracks_.push_back({place.rank, place.thread});
    }
    for (const Track& track : tracks_) most_ = std::max(most_, track.number + 1);
}

std::string ChromeTracks::place(u32 location, u32 row) const {
    const auto [process, number] = tracks_[location];
    const u64 track = u64{row} * most_ + number;
    return "\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(track);
}

std::string ChromeTracks::counter_id(u32 location) const {
    const u32 number = tracks_[location].number;
    return number == 0 ? "" : ",\"id\":" + std::to_string(number);
}

std::string ChromeTracks::process_name(u32 location) const {
    const u32 rank = names_.place(location).rank;
    if (rank != kNone) return "MPI rank " + std::to_string(rank);
    return definitions_.location_group_name(
        definitions_.process_group(definitions_.locations()[location]));
}

void ChromeTracks::write_names(ChromeEvents& events) const {
    for (u32 location = 0; location < tracks_.size(); ++location) {
        const std::string at = place(location);
        if (tracks_[location].number == 0) {
            events.begin("M", at) << ",\"name\":\"process_name\",\"args\":{\"name\":";
            events.close_with_name(process_name(location));
            events.begin("M", at) << ",\"name\":\"process_sort_index\",\"args\":{"
                                     "\"sort_index\":"
                                  << tracks_[location].process << "}}";
        }
        write_name(location, 0, events);
    }
}

void ChromeTracks::write_name(u32 location, u32 row, ChromeEvents& events) const {
    events.begin("M", place(location, row)) << ",\"name\":\"thread_name\",\"args\":{\"name\":";
    const std::string& name = definitions_.string(definitions_.locations()[location].name);
    events.close_with_name(row == 0 ? name : name + " (" + std::to_string(row + 1) + ")");
}

namespace {

/// Writes the regions of a location as slices: a leaf region is one event, others are two. On an
/// accelerator stream each is one event, in a row without overlap.
class Slices {
  public:
    Slices(const ExportedPart& part, const IoFiles& files, const IoCrossings& crossings,
           TraceClock clock, const ChromeMetrics& metrics, const ChromeTracks& tracks,
           ChromeEvents& events)
        : definitions_(part.file.definitions()),
          files_(files),
          operations_(crossings, part.number),
          clock_(clock),
          metrics_(metrics),
          events_(events),
          tracks_(tracks),
          location_(part.number),
          place_(tracks.place(part.number)),
          counter_id_(tracks.counter_id(part.number)),
          on_stream_(definitions_.locations()[part.number].is_stream()) {}

    u64 enter(u64 region, u64 ticks) {
        switch_on(ticks);
        if (on_stream_) return take_row(ticks);
        flush();
        pending_ = region;
        pending_since_ = moment(ticks);
        return 0;
    }

    void leave(const VisitedRegion& it, u64 ticks) {
        switch_on(ticks);
        const u64 region = it.region;
        const Picoseconds end = moment(ticks);
        if (on_stream_) {
            const auto row = static_cast<u32>(it.mark);
            name(events_.begin("X", tracks_.place(location_, row)), region);
            end_row(row, end, arguments_);
            arguments_.clear();
            return;
        }
        name(events_.begin(pending_ ? "X" : "E", place_), region);
        if (pending_) {
            events_.time("ts", pending_since_);
            events_.time("dur", end - pending_since_);
        } else {
            events_.time("ts", end);
        }
        events_.close(arguments_);
        arguments_.clear();
        moved_ = {};
        pending_.reset();
    }

    void record(const RecordSpan& batch, const RecordBatch::Head& head,
                const MappingTables& tables) {
        const auto type = static_cast<EventType>(head.type);
        if (on_stream_) note_copy(head, batch.values(head));
        if (type == EventType::MeasurementOnOff) switch_on_or_off(batch.values(head)[0], head.time);
        if (type == EventType::MpiCollectiveEnd) note_collective(batch.values(head), tables);
        if (is_io_operation(head.type)) note_file(batch.values(head), head, tables);
        if (type != EventType::Metric) return;
        metrics_.for_each(batch, head, tables, [&](const std::string& metric, double value) {
            events_.begin("C", place_) << ",\"name\":" << metric << counter_id_;
            events_.time("ts", clock_.at(head.time) * ChromeMoments::kPicoseconds);
            events_.value(value);
        });
    }

    /// Accelerator copies that are slices of the location.
    [[nodiscard]] u64 copies_to_device() const { return copies_[1]; }
    [[nodiscard]] u64 copies_from_device() const { return copies_[0]; }

  private:
    /// On a stream, an access to a window is a slice until it completes.
    void note_copy(const RecordBatch::Head& head, std::span<const u64> fields) {
        if (begins_copy(head.type)) {
            const u64 id = open_copies_.begin(head.type, fields).id;
            copy_rows_.emplace(id, take_row(head.time));
        } else if (ends_copy(head.type)) {
            const auto ended = open_copies_.end(fields);
            if (!ended) return;
            const u32 row = copy_rows_.extract(ended->id).mapped();
            events_.begin("X", tracks_.place(location_, row))
                << ",\"name\":\"" << copy_name(ended->to_device) << "\",\"cat\":\"accelerator\"";
            end_row(row, moment(head.time),
                    ",\"args\":{\"bytes\":" + std::to_string(ended->bytes) + "}");
            ++copies_[ended->to_device ? 1 : 0];
        }
    }

    /// Allocates the first free row of the stream.
    u32 take_row(u64 ticks) {
        const auto found = std::find(rows_.begin(), rows_.end(), std::nullopt);
        const auto row = static_cast<u32>(found - rows_.begin());
        if (found == rows_.end()) {
            rows_.emplace_back();
            if (row != 0) tracks_.write_name(location_, row, events_);
        }
        rows_[row] = moment(ticks);
        return row;
    }

    void end_row(u32 row, Picoseconds end, std::string_view arguments) {
        const Picoseconds begin = *rows_[row];
        events_.time("ts", begin);
        events_.time("dur", end - begin);
        events_.close(arguments);
        rows_[row].reset();
    }

    /// Time without measurement is a slice until the record that ends it or the next region.
    void switch_on_or_off(u64 mode, u64 ticks) {
        constexpr u64 kOff = 2;  // OTF2_MEASUREMENT_OFF
        switch_on(ticks);
        if (mode == kOff) off_since_ = moment(ticks);
    }

    void switch_on(u64 ticks) {
        if (!off_since_) return;
        flush();
        events_.begin("X", place_) << ",\"name\":\"MEASUREMENT OFF\",\"cat\":\"measurement\"";
        events_.time("ts", *off_since_);
        events_.time("dur", moment(ticks) - *off_since_);
        events_.close();
        off_since_.reset();
    }

    /// Adds the data of a collective operation to its call.
    void note_collective(std::span<const u64> fields, const MappingTables& tables) {
        arguments_ =
            ",\"args\":{\"comm\":" + std::to_string(tables.global(FieldKind::comm, fields[1])) +
            ",\"sent\":" + std::to_string(fields[3]) +
            ",\"received\":" + std::to_string(fields[4]) + "}";
    }

    /// Adds the bytes read or written to the call that completes the operation.
    void note_file(std::span<const u64> fields, const RecordBatch::Head& head,
                   const MappingTables& tables) {
        const std::optional<IoOperation> done = operations_.follow(head, fields, tables, 0);
        if (!done) return;
        // Sums with an unknown size are unknown.
        add_saturated(moved_[static_cast<std::size_t>(done->mode)],
                      done->lacks_size() ? kOverflow : done->known_bytes());
        arguments_ = ",\"args\":{";
        if (const u32 file = files_.of_handle(done->handle); file != kNone) {
            arguments_ += "\"file\":";
            append_json_string(files_.files()[file].name, arguments_);
            arguments_ += ',';
        }
        const auto moved = [this](IoMode mode) {
            const u64 bytes = moved_[static_cast<std::size_t>(mode)];
            return bytes == kOverflow ? "null" : std::to_string(bytes);
        };
        arguments_ += "\"bytes_read\":" + moved(IoMode::read) +
                      ",\"bytes_written\":" + moved(IoMode::write) + "}";
    }

    [[nodiscard]] Picoseconds moment(u64 ticks) { return moments_.next(clock_.at(ticks)); }

    /// The pending region contains others.
    void flush() {
        if (!pending_) return;
        name(events_.begin("B", place_), *pending_);
        events_.time("ts", pending_since_);
        events_.close();
        pending_.reset();
    }

    [[nodiscard]] std::string_view category(u64 region) const {
        if (definitions_.is_mpi_region(region)) return ",\"cat\":\"MPI\"";
        if (files_.is_io_call(region)) return ",\"cat\":\"I/O\"";
        const bool of_accelerator =
            definitions_.accelerator_use(region, on_stream_) != AcceleratorUse::none;
        return of_accelerator ? ",\"cat\":\"accelerator\"" : ",\"cat\":\"region\"";
    }

    void name(TextOut& out, u64 region) {
        const auto [found, fresh] = names_.try_emplace(region);
        if (fresh) {
            append_json_string(definitions_.region_name(region), found->second);
            found->second += category(region);
        }
        out << ",\"name\":" << found->second;
    }

    const DefinitionIndex& definitions_;
    const IoFiles& files_;
    IoTracker operations_;
    std::array<u64, kIoModes> moved_{};  ///< bytes in the region that ends next
    TraceClock clock_;
    const ChromeMetrics& metrics_;
    ChromeEvents& events_;
    ChromeMoments moments_;
    const ChromeTracks& tracks_;
    u32 location_;
    std::string place_;
    std::string counter_id_;
    std::string arguments_;  ///< of the region that ends next
    std::optional<u64> pending_;
    Picoseconds pending_since_ = 0;
    bool on_stream_;
    std::vector<std::optional<Picoseconds>> rows_;  ///< of a stream: begin of the current use
    StreamCopies open_copies_;
    std::unordered_map<u64, u32> copy_rows_;
    std::optional<Picoseconds> off_since_;
    std::array<u64, 2> copies_{};  ///< from and to accelerators
    std::unordered_map<u64, std::string> names_;
};

/// Writes messages as arrows between the slices of sending and receiving calls.
class Arrows {
  public:
    Arrows(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues,
           const ChromeTracks& tracks, u32 rank, ChromeEvents& events)
        : rank_(rank),
          table_(file, rank),
          events_(events),
          walk_(file, clocks, clues, rank),
          tracker_(TransferTracker::SendEnd::at_call, walk_.thread_count()) {
        for (u32 thread = 0; thread < walk_.thread_count(); ++thread) {
            places_.push_back(tracks.place(walk_.thread(thread).location));
        }
    }

    /// Returns the number of calls.
    u64 write() {
        u64 calls = 0;
        for (; const RankWalk::Thread* thread = walk_.next(); ++calls) {
            tracker_.follow(thread->number, thread->call, table_,
                            [this](const TrackedMessage& message, const MessageEnd& end) {
                                write(message, end);
                            });
            for (const Action& action : thread->call.actions) note_unrecorded(action);
        }
        return calls;
    }
    void report(ExportReport& report) const {
        report.contain("ends of arrows", arrows_);
        report.contain("receives without a record", tracker_.unrecorded());
        report.count(ExportOutcome::dropped, "sizes of collective operations without a record",
                     unrecorded_);
    }

  private:
    /// Slices come from records: they lack the data inferred for a collective.
    void note_unrecorded(const Action& action) {
        const bool begins =
            action.kind == Action::Kind::collective || action.kind == Action::Kind::post_collective;
        if (begins && action.unrecorded && action.part.kind != CollectiveKind::barrier) {
            ++unrecorded_;
        }
    }

    /// Both ends of an arrow have the same id.
    void write(const TrackedMessage& message, const MessageEnd& end) {
        ++arrows_;
        TextOut& out = events_.begin(message.sends ? "s" : "f", places_[end.thread]);
        if (!message.sends) out << ",\"bp\":\"e\"";
        out << ",\"cat\":\"MPI\",\"name\":\"message\",\"id\":\""
            << (message.sends ? rank_ : message.peer) << '.'
            << (message.sends ? message.peer : rank_) << '.' << message.envelope.comm << '.'
            << message.envelope.tag << '.' << message.number << '"';
        events_.time("ts",
                     walk_.thread(end.thread).clock.at(end.time) * ChromeMoments::kPicoseconds);
        out << ",\"args\":{\"bytes\":" << message.envelope.bytes
            << ",\"tag\":" << message.envelope.tag << "}}";
    }

    u32 rank_;
    CommunicatorTable table_;
    ChromeEvents& events_;
    RankWalk walk_;
    TransferTracker tracker_;
    std::vector<std::string> places_;  ///< by thread
    u64 arrows_ = 0;
    u64 unrecorded_ = 0;  ///< collective operations
};

void write_slices(ExportTeam& team, const TraceClocks& clocks, const ChromeTracks& tracks,
                  TextFile& out) {
    const IoFiles files(team.file());
    const IoCrossings crossings(team.file());
    const ChromeMetrics metrics(team.file());
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        ChromeEvents events(text);
        Slices slices(part, files, crossings, clocks.of(part.number), metrics, tracks, events);
        const u64 again = walk_regions(part.file, part.number, slices);
        part.report.contain("events", events.count());
        if (again != 0) {
            part.report.contain("slices of regions that go on after their task was suspended",
                                again);
        }
        const u64 to_device = slices.copies_to_device();
        const u64 from_device = slices.copies_from_device();
        part.kept.add(EventType::RmaGet, to_device);
        part.kept.add(EventType::RmaPut, from_device);
        part.kept.add(EventType::RmaOpCompleteBlocking, to_device + from_device);
    });
}

void write_arrows(ExportTeam& team, const TraceClocks& clocks, const ChromeTracks& tracks,
                  TextFile& out, u32 threads) {
    const ReceiveClues clues(team.file(), threads);
    team.run(team.ranks(), out, [&](ExportedPart& part, TextOut& text) {
        ChromeEvents events(text);
        Arrows arrows(part.file, clocks, clues, tracks, part.number, events);
        const u64 calls = arrows.write();
        arrows.report(part.report);
        part.report.contain("events", events.count());
        part.report.calls += calls;
        if (part.progress) part.progress(calls);
    });
}

}  // namespace

ExportReport write_chrome(TraceFile& file, const std::string& output,
                          const ExportOptions& options) {
    TextFile out(output, options.force);
    const ChromeTracks tracks(file.definitions());
    const TraceClocks clocks(file);
    ChromeEvents names(out, true);
    tracks.write_names(names);
    ExportTeam team(file, options);
    team.report().contain("events", names.count());
    write_slices(team, clocks, tracks, out);
    write_arrows(team, clocks, tracks, out, options.threads);
    ChromeEvents::end(out);
    out.commit();
    RecordCoverage& kept = team.kept();
    kept.add_all(kRegionRecords);
    kept.add_all(kPointToPointRecords);
    kept.add_all({EventType::MeasurementOnOff, EventType::Metric, EventType::MpiCollectiveBegin,
                  EventType::MpiCollectiveEnd, EventType::IoOperationBegin,
                  EventType::IoOperationComplete});
    return team.finish(out.size());
}

}  // namespace tracefold
