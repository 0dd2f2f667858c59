// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_field.hpp"
#include "exporters/csv_regions.hpp"
#include "exporters/formats.hpp"
#include "exporters/nanoseconds.hpp"
#include "exporters/record_losses.hpp"
#include "exporters/text_file.hpp"
#include "exporters/transfer_tracker.hpp"
#include "io/atomic_directory.hpp"
#include "pipeline/enumerator_names.hpp"
#include "replay/communicator_table.hpp"
#include "replay/rank_program.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

/// What one call moved, summed up over its messages and collective operations.
struct CallRow {
    u64 comm = kNone;
    u64 comm_size = 0;
    std::optional<u32> peer;
    std::optional<u32> tag;
    std::optional<u32> root;
    u64 sent = 0;
    u64 received = 0;
};

/// The tables of MPI calls, which are written side by side.
class CallTables {
  public:
    CallTables(TraceFile& file, const std::filesystem::path& folder)
        : file_(file),
          definitions_(file.definitions()),
          nanoseconds_(file.definitions()),
          has_times_(file.summary().timing != TimingLevel::none),
          calls_(folder / "calls.csv"),
          messages_(folder / "messages.csv"),
          collectives_(folder / "collectives.csv") {
        calls_ << "rank,thread,call,name,begin_ns,end_ns,comm,comm_size,peer,tag,bytes_sent,"
                  "bytes_received,root,requests,compute_before_ns\n";
        messages_ << "rank,thread,call,direction,peer,comm,tag,number,bytes,begin_ns,end_ns\n";
        collectives_ << "rank,thread,call,name,operation,comm,comm_size,instance,root,bytes_sent,"
                        "bytes_received,begin_ns,end_ns\n";
    }

    void begin_rank(u32 rank) {
        rank_ = rank;
        table_.emplace(file_, rank);
        tracker_ = TransferTracker();
        instances_.clear();
    }

    /// What is still outstanding has no end.
    void end_rank() {
        for (const TrackedMessage& message : tracker_.outstanding()) {
            write_message(message, std::nullopt);
        }
        std::vector<PostedCollective> left;
        for (const auto& [request, posted] : posted_) left.push_back(posted);
        std::ranges::sort(left, {}, &PostedCollective::call);
        for (const PostedCollective& posted : left) write_collective(posted, std::nullopt);
        posted_.clear();
    }

    void begin_thread(u32 thread) {
        thread_ = thread;
        last_end_.reset();
    }

    void write(const Operation& operation) {
        CallRow row;
        for (const Action& action : operation.actions) add(operation, action, row);
        write_place(calls_, operation);
        write_name(calls_, operation);
        calls_ << ',';
        write_times(calls_, operation.begin, operation.end);
        write_row(row);
        write_requests(operation);
        write_gap(operation);
    }

    /// Puts the tables into place; their bytes.
    u64 commit(ExportReport& report) {
        report.contain("rows of messages.csv", message_rows_);
        report.contain("rows of collectives.csv", collective_rows_);
        calls_.commit();
        messages_.commit();
        collectives_.commit();
        return calls_.size() + messages_.size() + collectives_.size();
    }

  private:
    void add(const Operation& operation, const Action& action, CallRow& row) {
        switch (action.kind) {
            case Action::Kind::send:
                row.sent += action.envelope.bytes;
                name_message(action.envelope, row);
                begin_message(operation, action, true);
                break;
            case Action::Kind::receive:
            case Action::Kind::post_receive:
                if (!action.known) break;
                row.received += action.envelope.bytes;
                name_message(action.envelope, row);
                begin_message(operation, action, false);
                break;
            case Action::Kind::collective:
            case Action::Kind::post_collective:
                if (action.known) add_collective(operation, action, row);
                break;
            case Action::Kind::complete_send:
            case Action::Kind::complete_receive:
                if (const auto done = tracker_.complete(action.request)) {
                    write_message(*done, operation.end);
                }
                break;
            case Action::Kind::complete_collective:
                if (const auto found = posted_.find(action.request); found != posted_.end()) {
                    write_collective(found->second, operation.end);
                    posted_.erase(found);
                }
                break;
            default:
                break;
        }
    }

    void name_message(const Envelope& envelope, CallRow& row) {
        if (row.peer) return;
        row.comm = envelope.comm;
        row.comm_size = size_of(envelope.comm);
        row.peer = world_rank_of(envelope, *table_);
        row.tag = envelope.tag;
    }

    void begin_message(const Operation& operation, const Action& action, bool sends) {
        const TrackedMessage message = tracker_.begin(
            sends, world_rank_of(action.envelope, *table_), action.envelope, operation);
        if (action.request == kNoRequest) {
            write_message(message, operation.end);
        } else {
            tracker_.keep(action.request, message);
        }
    }

    void write_message(const TrackedMessage& message, std::optional<u64> end) {
        ++message_rows_;
        messages_ << rank_ << ',' << thread_ << ',' << message.call
                  << (message.sends ? ",send," : ",receive,") << message.peer << ','
                  << message.envelope.comm << ',' << message.envelope.tag << ',' << message.number
                  << ',' << message.envelope.bytes << ',';
        write_times(messages_, message.begin, end);
        messages_ << '\n';
    }

    struct PostedCollective {
        u64 call;
        u32 region;
        MpiFunction function;
        CollectivePart part;
        u64 instance;
        u64 begin;
    };

    void add_collective(const Operation& operation, const Action& action, CallRow& row) {
        row.comm = action.part.comm;
        row.comm_size = size_of(action.part.comm);
        row.sent += action.part.sent;
        row.received += action.part.received;
        if (action.part.root < row.comm_size) row.root = action.part.root;
        const PostedCollective posted{operation.index,
                                      operation.region,
                                      operation.function,
                                      action.part,
                                      instances_[action.part.comm]++,
                                      operation.begin};
        if (action.request == kNoRequest) {
            write_collective(posted, operation.end);
        } else {
            posted_.insert_or_assign(action.request, posted);
        }
    }

    void write_collective(const PostedCollective& posted, std::optional<u64> end) {
        ++collective_rows_;
        const u64 size = size_of(posted.part.comm);
        collectives_ << rank_ << ',' << thread_ << ',' << posted.call << ','
                     << csv_field(name(posted.region, posted.function)) << ','
                     << enumerator_name(Enumeration::collective_op, posted.part.operation) << ','
                     << posted.part.comm << ',' << size << ',' << posted.instance << ',';
        if (posted.part.root < size) collectives_ << posted.part.root;
        collectives_ << ',' << posted.part.sent << ',' << posted.part.received << ',';
        write_times(collectives_, posted.begin, end);
        collectives_ << '\n';
    }

    void write_row(const CallRow& row) {
        calls_ << ',';
        if (row.comm != kNone)
            calls_ << row.comm << ',' << row.comm_size << ',';
        else
            calls_ << ",,";
        if (row.peer)
            calls_ << *row.peer << ',' << *row.tag << ',';
        else
            calls_ << ",,";
        calls_ << row.sent << ',' << row.received << ',';
        if (row.root) calls_ << *row.root;
        calls_ << ',';
    }

    void write_requests(const Operation& operation) {
        const char* separator = "";
        for (const Action& action : operation.actions) {
            if (action.request == kNoRequest) continue;
            calls_ << separator << action.request;
            separator = " ";
        }
        calls_ << ',';
    }

    void write_gap(const Operation& operation) {
        if (has_times_ && last_end_)
            calls_ << nanoseconds_.of(elapsed(*last_end_, operation.begin));
        last_end_ = operation.end;
        calls_ << '\n';
    }

    void write_place(TextFile& out, const Operation& operation) const {
        out << rank_ << ',' << thread_ << ',' << operation.index << ',';
    }

    [[nodiscard]] std::string name(u32 region, MpiFunction function) const {
        return region == kNone ? std::string(name_of(function)) : definitions_.region_name(region);
    }
    void write_name(TextFile& out, const Operation& operation) const {
        out << csv_field(name(operation.region, operation.function));
    }

    void write_times(TextFile& out, u64 begin, std::optional<u64> end) const {
        if (has_times_) out << nanoseconds_.at(begin);
        out << ',';
        if (has_times_ && end) out << nanoseconds_.at(*end);
    }

    /// Of an intercommunicator, the members of the other side.
    [[nodiscard]] std::span<const u64> peers_of(u64 comm) const {
        const CommunicatorView* view = table_->find(comm);
        if (view == nullptr) return {};
        return view->peers();
    }
    [[nodiscard]] u64 size_of(u64 comm) const { return peers_of(comm).size(); }

    TraceFile& file_;
    const DefinitionIndex& definitions_;
    Nanoseconds nanoseconds_;
    bool has_times_;
    TextFile calls_;
    TextFile messages_;
    TextFile collectives_;
    u32 rank_ = 0;
    u32 thread_ = 0;
    std::optional<CommunicatorTable> table_;
    TransferTracker tracker_;
    std::unordered_map<u64, u64> instances_;  ///< collective operations so far, by communicator
    std::unordered_map<u64, PostedCollective> posted_;  ///< by request
    std::optional<u64> last_end_;
    u64 message_rows_ = 0;
    u64 collective_rows_ = 0;
};

/// Returns the number of calls.
u64 write_calls(TraceFile& file, CallTables& tables, const ProgressSink& progress,
                KeptRecords& kept) {
    constexpr u64 kStep = 4096;
    u64 calls = 0;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        tables.begin_rank(rank);
        u32 thread = 0;
        for (const u32 location : mpi_locations(file, rank)) {
            tables.begin_thread(thread++);
            RankProgram program(file, location);
            for (Operation operation; program.next(operation);) {
                tables.write(operation);
                if (++calls % kStep == 0 && progress) progress(kStep);
            }
        }
        tables.end_rank();
    }
    kept.add_all(kMessageRecords);
    return calls;
}

}  // namespace

ExportReport write_csv(TraceFile& file, const std::string& output, const ExportOptions& options) {
    AtomicDirectory folder(output, options.force);
    const std::filesystem::path path = folder.path();
    ExportReport report;
    report.ranks = file.definitions().world_size();
    KeptRecords kept;
    {
        CallTables tables(file, path);
        report.calls = write_calls(file, tables, options.progress, kept);
        report.contain("rows of calls.csv", report.calls);
        report.bytes += tables.commit(report);
    }
    report.bytes += write_regions(file, path, report);
    kept.add_all({EventType::Enter, EventType::Leave, EventType::CallingContextEnter,
                  EventType::CallingContextLeave});
    if (options.pipit) {
        report.bytes += write_pipit(file, path, report);
        kept.add_every();
    }
    folder.commit();
    count_dropped_records(file, kept, report);
    return report;
}

}  // namespace tracefold
