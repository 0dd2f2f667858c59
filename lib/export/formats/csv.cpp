// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/atomic_directory.hpp"
#include "base/csv_table.hpp"
#include "base/types.hpp"
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "export/formats/rank_walk.hpp"
#include "file/common_clock.hpp"
#include "file/io_files.hpp"
#include "file/record_counts.hpp"
#include "file/region_stack.hpp"
#include "model/definition_names.hpp"
#include "model/event_table.hpp"
#include "model/participant_names.hpp"
#include "model/region_role.hpp"
#include "mpi/communicator_table.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

/// The rank and the thread of a location as fields of a table, each followed by a comma; without a
/// rank its index in the definitions.
std::string place_fields(const ParticipantNames& names, u32 location);

/// Writes regions.csv, a row for each visit of a region, by end. Accelerator copies that are no
/// regions are rows, too. Returns its bytes.
u64 write_regions(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

/// Writes events.csv, a row per record, in the columns of Pipit's CSV reader. Returns its bytes.
u64 write_pipit(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

/// Writes io.csv, a row per file operation by completion, if there are any. Incomplete operations
/// come last for each location, without bytes and end. Returns its bytes. Throws Error: corrupt,
/// io.
u64 write_io(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

namespace {

/// The data moved by one call, summed over its messages and collective operations.
struct CallRow {
    u64 comm = kNone;
    u64 comm_size = 0;
    std::optional<u32> peer;
    std::optional<u32> tag;
    std::optional<u32> root;
    u64 sent = 0;
    u64 received = 0;
};

/// The rows of a rank in the tables of MPI calls, which are written in parallel.
class CallTables {
  public:
    /// All must outlive the tables.
    CallTables(TraceFile& file, u32 rank, const RankWalk& walk, std::vector<TextPart>& texts)
        : definitions_(file.definitions()),
          nanoseconds_(file.definitions()),
          has_times_(file.summary().timing != TimingLevel::none),
          calls_(texts[0]),
          messages_(texts[1]),
          collectives_(texts[2]),
          rank_(rank),
          walk_(walk),
          table_(file, rank),
          tracker_(TransferTracker::SendEnd::at_completion, walk.thread_count()),
          last_ends_(walk.thread_count()) {}

    /// Outstanding messages have no end.
    void end(ExportReport& report) {
        for (const TrackedMessage& message : tracker_.outstanding()) {
            write_message(message, "");
        }
        std::vector<PostedCollective> left;
        for (const auto& [request, posted] : posted_) left.push_back(posted);
        std::ranges::sort(left, [](const PostedCollective& a, const PostedCollective& b) {
            return std::tie(a.thread, a.call) < std::tie(b.thread, b.call);
        });
        for (const PostedCollective& posted : left) write_collective(posted, "");
        report.contain("rows of messages.csv", message_rows_);
        report.contain("receives without a record", tracker_.unrecorded());
        report.contain("rows of collectives.csv", collective_rows_);
    }

    void write(u32 thread, const MpiCall& mpi_call) {
        CallRow row;
        if (mpi_call.family == CallFamily::matched_receive && mpi_call.inferred.comm != kNone) {
            add_message(mpi_call.inferred, row.received, row);
        }
        for (const Action& action : mpi_call.actions) add(thread, mpi_call, action, row);
        tracker_.follow(thread, mpi_call, table_,
                        [this](const TrackedMessage& message, const MessageEnd& end) {
                            write_message(message, time_text(end.thread, end.end));
                        });
        write_place(calls_, thread, mpi_call.index);
        write_name(calls_, mpi_call);
        calls_ << ',' << time_text(thread, mpi_call.begin) << ','
               << time_text(thread, mpi_call.end);
        write_row(row);
        write_requests(mpi_call);
        write_gap(last_ends_[thread], mpi_call);
    }

  private:
    void add(u32 thread, const MpiCall& mpi_call, const Action& action, CallRow& row) {
        switch (action.kind) {
            case Action::Kind::send:
                add_message(action.envelope, row.sent, row);
                break;
            case Action::Kind::receive:
            case Action::Kind::post_receive:
                if (action.known) add_message(action.envelope, row.received, row);
                break;
            case Action::Kind::collective:
            case Action::Kind::post_collective:
                if (action.known) add_collective(thread, mpi_call, action, row);
                break;
            case Action::Kind::complete_collective:
                if (const auto found = posted_.find(action.request); found != posted_.end()) {
                    write_collective(found->second, time_text(thread, mpi_call.end));
                    posted_.erase(found);
                }
                break;
            case Action::Kind::record:
                add_access(action, row);
                break;
            default:
                break;
        }
    }

    /// Adds an access to a window of another rank. It has no tag.
    void add_access(const Action& action, CallRow& row) const {
        const std::array<u64, 6>& fields = action.fields;
        const bool puts = action.type == EventType::RmaPut;
        const bool gets = action.type == EventType::RmaGet;
        const bool is_atomic = action.type == EventType::RmaAtomic;
        if (!puts && !gets && !is_atomic) return;
        add_saturated(row.sent, puts ? fields[2] : is_atomic ? fields[3] : 0);
        add_saturated(row.received, gets ? fields[2] : is_atomic ? fields[4] : 0);
        if (row.peer) return;
        row.comm = definitions_.window_communicator(fields[0]);
        row.comm_size = size_of(row.comm);
        row.peer = world_rank_of({row.comm, static_cast<u32>(fields[1]), 0, 0}, table_);
    }

    /// `moved`: bytes sent, or received, by the call. Peer and tag are those of its first message.
    void add_message(const Envelope& envelope, u64& moved, CallRow& row) const {
        add_saturated(moved, envelope.bytes);
        if (row.peer) return;
        row.comm = envelope.comm;
        row.comm_size = size_of(envelope.comm);
        row.peer = world_rank_of(envelope, table_);
        row.tag = envelope.tag;
    }

    void write_message(const TrackedMessage& message, const std::string& end) {
        ++message_rows_;
        write_place(messages_, message.thread, message.call);
        messages_ << (message.sends ? "send," : "receive,") << message.peer << ','
                  << message.envelope.comm << ',' << message.envelope.tag << ',' << message.number
                  << ',' << message.envelope.bytes << ','
                  << time_text(message.thread, message.begin) << ',' << end << '\n';
    }

    struct PostedCollective {
        u32 thread;
        u64 call;
        u32 region;
        MpiFunction function;
        CollectivePart part;
        u64 instance;
        u64 begin;
    };

    void add_collective(u32 thread, const MpiCall& mpi_call, const Action& action, CallRow& row) {
        row.comm = action.part.comm;
        row.comm_size = size_of(action.part.comm);
        add_saturated(row.sent, action.part.sent);
        add_saturated(row.received, action.part.received);
        if (action.part.root < row.comm_size) row.root = action.part.root;
        const PostedCollective posted{thread,          mpi_call.index,
                                      mpi_call.region, mpi_call.function,
                                      action.part,     instances_[action.part.comm]++,
                                      mpi_call.begin};
        if (action.request == kNoRequest) {
            write_collective(posted, time_text(thread, mpi_call.end));
        } else {
            posted_.insert_or_assign(action.request, posted);
        }
    }

    void write_collective(const PostedCollective& posted, const std::string& end) {
        ++collective_rows_;
        const u64 size = size_of(posted.part.comm);
        write_place(collectives_, posted.thread, posted.call);
        collectives_ << csv_field(name(posted.region, posted.function)) << ','
                     << enumerator_name(posted.part.kind) << ',' << posted.part.comm << ',' << size
                     << ',' << posted.instance << ',';
        if (posted.part.root < size) collectives_ << posted.part.root;
        collectives_ << ',' << posted.part.sent << ',' << posted.part.received << ','
                     << time_text(posted.thread, posted.begin) << ',' << end << '\n';
    }

    void write_row(const CallRow& row) {
        calls_ << ',';
        if (row.comm != kNone)
            calls_ << row.comm << ',' << row.comm_size << ',';
        else
            calls_ << ",,";
        if (row.peer) calls_ << *row.peer;
        calls_ << ',';
        if (row.tag) calls_ << *row.tag;
        calls_ << ',';
        // Empty beyond 64 bits.
        if (row.sent != kOverflow) calls_ << row.sent;
        calls_ << ',';
        if (row.received != kOverflow) calls_ << row.received;
        calls_ << ',';
        if (row.root) calls_ << *row.root;
        calls_ << ',';
    }

    void write_requests(const MpiCall& mpi_call) {
        const char* separator = "";
        for (const Action& action : mpi_call.actions) {
            if (action.request == kNoRequest) continue;
            calls_ << separator << action.request;
            separator = " ";
        }
        calls_ << ',';
    }

    void write_gap(std::optional<u64>& last_end, const MpiCall& mpi_call) {
        if (has_times_ && last_end) calls_ << nanoseconds_.of(elapsed(*last_end, mpi_call.begin));
        last_end = mpi_call.end;
        calls_ << '\n';
    }

    void write_place(TextOut& out, u32 thread, u64 call) const {
        out << rank_ << ',' << thread << ',' << call << ',';
    }

    [[nodiscard]] std::string name(u32 region, MpiFunction function) const {
        return region == kNone ? std::string(name_of(function)) : definitions_.region_name(region);
    }
    void write_name(TextOut& out, const MpiCall& mpi_call) const {
        out << csv_field(mpi_call.region == kNone ? name_of(mpi_call, definitions_)
                                                  : definitions_.region_name(mpi_call.region));
    }

    [[nodiscard]] std::string time_text(u32 thread, u64 ticks) const {
        return has_times_ ? std::to_string(walk_.thread(thread).clock.at(ticks)) : "";
    }

    /// In an intercommunicator, the members of the other side.
    [[nodiscard]] std::span<const u64> peers_of(u64 comm) const {
        const CommunicatorView* view = table_.find(comm);
        if (view == nullptr) return {};
        return view->peers();
    }
    [[nodiscard]] u64 size_of(u64 comm) const { return peers_of(comm).size(); }

    const DefinitionIndex& definitions_;
    Nanoseconds nanoseconds_;
    bool has_times_;
    TextOut& calls_;
    TextOut& messages_;
    TextOut& collectives_;
    u32 rank_;
    const RankWalk& walk_;
    CommunicatorTable table_;
    TransferTracker tracker_;
    std::unordered_map<u64, u64> instances_;  ///< collective operations so far, by communicator
    std::unordered_map<u64, PostedCollective> posted_;  ///< by request
    std::vector<std::optional<u64>> last_ends_;         ///< of calls, by thread
    u64 message_rows_ = 0;
    u64 collective_rows_ = 0;
};

void write_rank(ExportedPart& part, const TraceClocks& clocks, const ReceiveClues& clues,
                std::vector<TextPart>& texts) {
    constexpr u64 kStep = 4096;
    RankWalk walk(part.file, clocks, clues, part.number);
    CallTables tables(part.file, part.number, walk, texts);
    u64 calls = 0;
    while (const RankWalk::Thread* thread = walk.next()) {
        tables.write(thread->number, thread->call);
        if (++calls % kStep == 0 && part.progress) part.progress(kStep);
    }
    tables.end(part.report);
    part.report.calls += calls;
    part.report.contain("rows of calls.csv", calls);
}

/// Returns the bytes of the tables of MPI calls.
u64 write_calls(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder,
                u32 threads) {
    const ReceiveClues clues(team.file(), threads);
    TextFile calls(folder / "calls.csv");
    TextFile messages(folder / "messages.csv");
    TextFile collectives(folder / "collectives.csv");
    calls << "rank,thread,call,name,begin_ns,end_ns,comm,comm_size,peer,tag,bytes_sent,"
             "bytes_received,root,requests,compute_before_ns\n";
    messages << "rank,thread,call,direction,peer,comm,tag,number,bytes,begin_ns,end_ns\n";
    collectives << "rank,thread,call,name,operation,comm,comm_size,instance,root,bytes_sent,"
                   "bytes_received,begin_ns,end_ns\n";
    team.run(team.ranks(), {&calls, &messages, &collectives},
             [&](ExportedPart& part, std::vector<TextPart>& texts) {
                 write_rank(part, clocks, clues, texts);
             });
    if (team.ranks() != 0) {
        team.kept().add_communication();
        team.kept().add_all({EventType::RmaPut, EventType::RmaGet, EventType::RmaAtomic});
    }
    for (TextFile* table : {&calls, &messages, &collectives}) table->commit();
    return calls.size() + messages.size() + collectives.size();
}

}  // namespace

ExportReport write_csv(TraceFile& file, const std::string& output, const ExportOptions& options) {
    static const std::set<std::string> names = {"calls.csv",   "messages.csv", "collectives.csv",
                                                "regions.csv", "io.csv",       "events.csv"};
    AtomicDirectory folder(output, options.force, {"calls.csv", [](const std::string& name) {
                                                       return names.contains(name);
                                                   }});
    const std::filesystem::path path = folder.path();
    const TraceClocks clocks(file);
    ExportTeam team(file, options);
    u64 bytes = write_calls(team, clocks, path, options.threads);
    bytes += write_regions(team, clocks, path);
    bytes += write_io(team, clocks, path);
    team.kept().add_all(kRegionRecords);
    if (options.pipit) {
        bytes += write_pipit(team, clocks, path);
        team.kept().add_every();
    }
    folder.commit();
    return team.finish(bytes);
}

namespace {

/// OTF2_IoOperationFlag
constexpr u64 kNonBlockingIo = 1;
constexpr u64 kCollectiveIo = 2;

bool has_operations(const TraceFile& file) {
    return records_any(file.structure(),
                       {EventType::IoOperationBegin, EventType::IoOperationComplete,
                        EventType::IoOperationCancelled});
}

class IoRows {
  public:
    IoRows(const ExportedPart& part, const IoFiles& files, const IoCrossings& crossings,
           TraceClock clock, std::string place, TextOut& out)
        : definitions_(part.file.definitions()),
          files_(files),
          clock_(clock),
          has_times_(part.file.summary().timing != TimingLevel::none),
          out_(out),
          place_(std::move(place)),
          tracker_(crossings, part.number) {}

    [[nodiscard]] u64 rows() const { return rows_; }

    u64 enter(u64 region, u64 /*ticks*/) {
        open_.push_back(static_cast<u32>(region));
        return 0;
    }
    void leave(const VisitedRegion& /*region*/, u64 /*ticks*/) { open_.pop_back(); }
    void record(const RecordSpan& batch, const RecordBatch::Head& head,
                const MappingTables& tables) {
        if (!is_io_operation(head.type)) return;
        const u32 region = open_.empty() ? kNone : open_.back();
        if (const auto done = tracker_.follow(head, batch.values(head), tables, region)) {
            write(*done, true);
        }
    }
    void end() {
        for (const IoOperation& operation : tracker_.outstanding()) write(operation, false);
    }

  private:
    void write(const IoOperation& operation, bool complete) {
        ++rows_;
        const u32 file = files_.of_handle(operation.handle);
        out_ << place_;
        if (operation.mark != kNone) out_ << csv_field(definitions_.region_name(operation.mark));
        out_ << ',';
        if (file != kNone) {
            out_ << csv_field(files_.files()[file].name) << ','
                 << csv_field(files_.files()[file].paradigm);
        } else {
            out_ << ',';
        }
        out_ << ',' << io_mode_name(operation.mode) << ','
             << ((operation.flags & kCollectiveIo) != 0 ? 1 : 0) << ','
             << ((operation.flags & kNonBlockingIo) != 0 ? 1 : 0) << ',';
        if (operation.requested != ~u64{0}) out_ << operation.requested;
        out_ << ',';
        if (complete && operation.bytes != kUnknownBytes) out_ << operation.bytes;
        write_times(operation, complete);
    }

    void write_times(const IoOperation& operation, bool complete) {
        out_ << ',';
        if (has_times_) out_ << clock_.at(operation.begin);
        out_ << ',';
        if (has_times_ && complete) out_ << clock_.at(operation.end);
        out_ << '\n';
    }

    const DefinitionIndex& definitions_;
    const IoFiles& files_;
    TraceClock clock_;
    bool has_times_;
    TextOut& out_;
    std::string place_;
    IoTracker tracker_;
    std::vector<u32> open_;  ///< regions
    u64 rows_ = 0;
};

}  // namespace

u64 write_io(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder) {
    if (!has_operations(team.file())) return 0;
    TextFile out(folder / "io.csv");
    out << "rank,thread,name,file,paradigm,operation,collective,nonblocking,bytes_requested,bytes,"
           "begin_ns,end_ns\n";
    const ParticipantNames names(team.file().definitions());
    const IoFiles files(team.file());
    const IoCrossings crossings(team.file());
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        const u32 location = part.number;
        IoRows rows(part, files, crossings, clocks.of(location), place_fields(names, location),
                    text);
        walk_regions(part.file, location, rows);
        rows.end();
        part.report.contain("rows of io.csv", rows.rows());
    });
    out.commit();
    team.kept().add_all({EventType::IoOperationBegin, EventType::IoOperationComplete});
    return out.size();
}

namespace {

/// Region names as table fields.
class RegionNames {
  public:
    explicit RegionNames(const DefinitionIndex& definitions) : definitions_(definitions) {}

    const std::string& operator[](u64 region) {
        const auto [found, fresh] = fields_.try_emplace(region);
        if (fresh) found->second = csv_field(definitions_.region_name(region));
        return found->second;
    }

  private:
    const DefinitionIndex& definitions_;
    std::unordered_map<u64, std::string> fields_;
};

class RegionRows {
  public:
    RegionRows(const ExportedPart& part, TraceClock clock, std::string place, TextOut& out)
        : clock_(clock),
          names_(part.file.definitions()),
          has_times_(part.file.summary().timing != TimingLevel::none),
          out_(out),
          place_(std::move(place)),
          on_stream_(part.file.definitions().locations()[part.number].is_stream()) {}

    [[nodiscard]] u64 rows() const { return rows_; }
    /// Rows of accelerator copies.
    [[nodiscard]] u64 copies() const { return copies_; }

    static u64 enter(u64 /*region*/, u64 ticks) { return ticks; }
    void leave(const VisitedRegion& it, u64 ticks) {
        row(names_[it.region], it.depth, it.mark, ticks, it.resumed);
    }
    /// On a stream, an access to a window is a copy until it completes.
    void record(const RecordSpan& batch, const RecordBatch::Head& head, const MappingTables&) {
        if (!on_stream_) return;
        if (begins_copy(head.type)) {
            begins_.emplace(open_copies_.begin(head.type, batch.values(head)).id, head.time);
        } else if (ends_copy(head.type)) {
            const auto ended = open_copies_.end(batch.values(head));
            if (!ended) return;
            ++copies_;
            const auto begin = begins_.extract(ended->id).mapped();
            row(copy_name(ended->to_device), 0, begin, head.time, false);
        }
    }

  private:
    void row(std::string_view name, u32 depth, u64 begin, u64 end, bool resumed) {
        ++rows_;
        out_ << place_ << name << ',' << depth << ',';
        if (has_times_) out_ << clock_.at(begin);
        out_ << ',';
        if (has_times_) out_ << clock_.at(end);
        out_ << (resumed ? ",1\n" : ",0\n");
    }

    TraceClock clock_;
    RegionNames names_;
    bool has_times_;
    TextOut& out_;
    std::string place_;
    bool on_stream_;
    StreamCopies open_copies_;
    std::unordered_map<u64, u64> begins_;  ///< ticks, by copy
    u64 rows_ = 0;
    u64 copies_ = 0;
};

/// Pipit numbers the processes and threads of all locations.
class PipitRows {
  public:
    PipitRows(const ExportedPart& part, TraceClock clock, const ParticipantNames::Place& place,
              TextOut& out)
        : clock_(clock),
          names_(part.file.definitions()),
          out_(out),
          place_("," + std::to_string(place.rank) + "," + std::to_string(place.thread) + ",") {}

    [[nodiscard]] u64 rows() const { return rows_; }

    u64 enter(u64 region, u64 ticks) {
        row(ticks, "Enter,", names_[region]) << "{}\n";
        return 0;
    }
    void leave(const VisitedRegion& it, u64 ticks) {
        row(ticks, "Leave,", names_[it.region]) << "{}\n";
    }
    void record(const RecordSpan& batch, const RecordBatch::Head& head,
                const MappingTables& tables) {
        const RecordInfo& info = event_info(head.type);
        row(head.time, "Instant,", info.name) << "\"{";
        const std::span<const u64> values = batch.values(head);
        const char* separator = "\"\"";
        for (std::size_t i = 0; i < info.field_count && i < values.size(); ++i) {
            const FieldKind kind = info.fields[i].kind;
            out_ << separator << info.fields[i].name
                 << "\"\": " << (is_mapped(kind) ? tables.global(kind, values[i]) : values[i]);
            separator = ", \"\"";
        }
        out_ << "}\"\n";
    }

  private:
    TextOut& row(u64 ticks, std::string_view type, std::string_view name) {
        ++rows_;
        return out_ << clock_.at(ticks) << ',' << type << name << place_;
    }

    TraceClock clock_;
    RegionNames names_;
    TextOut& out_;
    std::string place_;  ///< process and thread
    u64 rows_ = 0;
};

}  // namespace

std::string place_fields(const ParticipantNames& names, u32 location) {
    const ParticipantNames::Place place = names.place(location);
    return (place.rank == kNone ? "" : std::to_string(place.rank)) + "," +
           std::to_string(place.thread) + ",";
}

u64 write_regions(ExportTeam& team, const TraceClocks& clocks,
                  const std::filesystem::path& folder) {
    TextFile out(folder / "regions.csv");
    out << "rank,thread,name,depth,begin_ns,end_ns,resumed\n";
    const ParticipantNames names(team.file().definitions());
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        const u32 location = part.number;
        RegionRows rows(part, clocks.of(location), place_fields(names, location), text);
        const u64 again = walk_regions(part.file, location, rows);
        part.report.contain("rows of regions.csv", rows.rows());
        if (again != 0) {
            part.report.contain("rows of regions that go on after their task was suspended", again);
        }
        part.kept.add(EventType::RmaOpCompleteBlocking, rows.copies());
    });
    out.commit();
    return out.size();
}

u64 write_pipit(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder) {
    TextFile out(folder / "events.csv");
    out << "Timestamp (ns),Event Type,Name,Process,Thread,Attributes\n";
    const std::vector<ParticipantNames::Place> places =
        ParticipantNames(team.file().definitions()).numbered_places();
    team.run(team.file().location_count(), out, [&](ExportedPart& part, TextOut& text) {
        PipitRows rows(part, clocks.of(part.number), places[part.number], text);
        const u64 again = walk_regions(part.file, part.number, rows);
        part.report.contain("rows of events.csv", rows.rows());
        if (again != 0) {
            part.report.contain("regions that go on after their task was suspended", again);
        }
    });
    out.commit();
    return out.size();
}

}  // namespace tracefold
