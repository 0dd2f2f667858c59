// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/dumpi_collectives.hpp"
#include "exporters/dumpi_communicators.hpp"
#include "exporters/dumpi_file.hpp"
#include "exporters/elements.hpp"
#include "exporters/export_team.hpp"
#include "exporters/formats.hpp"
#include "exporters/trace_clock.hpp"
#include "io/atomic_directory.hpp"
#include "replay/mpi_call_reader.hpp"
#include "schedules/rounds.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <utility>

namespace tracefold {

namespace {

using Function = DumpiFunction;

constexpr ElementType kDumpiTypes[] = {
    {1, DumpiFile::kByte}, {8, DumpiFile::kDouble}, {16, DumpiFile::kLongDouble}};

/// What all ranks have in common.
struct DumpiTrace {
    const CommunicationSurvey& survey;
    const TraceClocks& clocks;
    const DumpiCommunicators& communicators;
    const ExportOptions& options;
};

/// Writes the calls of one rank. Of several records that a call makes, all but the last take no
/// time, and the last one takes all of the call's.
class DumpiWriter : public RankSink {
  public:
    DumpiWriter(DumpiFile& out, const DumpiTrace& trace, u32 rank)
        : out_(out), trace_(trace), rank_(rank) {}

    /// Ranks that end without MPI_Finalize end with it all the same.
    void end() {
        if (!begun_) initialise();
        if (!finalized_) record(Function::Finalize);
    }

    /// Messages that it sends for collective operations.
    [[nodiscard]] u64 sent_for_collectives() const { return for_collectives_; }

    /// Time is what passes between the calls.
    void compute(u64 /*between_calls*/, u64 /*in_calls*/) override {}

    void begin_call(u32 location, const MpiCall& call) override {
        const u64 time = trace_.clocks.of(location).at(call.begin);
        now_ = std::max(now_, time);
        call_ = Call{&call, false};
        if (call.family == CallFamily::init && !begun_) initialise();
        if (call.family == CallFamily::finalize && !finalized_) {
            finalized_ = true;
            record(Function::Finalize);
        }
    }

    void end_call(u32 location, const MpiCall& call) override {
        // A call of another thread may have begun since.
        const bool has_record = call_.mpi_call == &call && call_.has_record;
        if (!std::exchange(has_waited_, false) && !has_record) return;
        now_ = std::max(now_, trace_.clocks.of(location).at(call.end));
        out_.end_last_at(now_);
        call_ = {};
        if (call.family == CallFamily::init) split();
    }

    void send(const RankMessage& message, RequestSlot slot) override {
        const bool blocks = slot == kBlocking;
        transfer(blocks ? Function::Send : Function::Isend, message.peer, message.channel,
                 message.bytes);
        if (!blocks) post(open(slot));
    }

    void receive(const RankMessage& message, RequestSlot slot) override {
        const bool blocks = slot == kBlocking;
        transfer(blocks ? Function::Recv : Function::Irecv, message.peer, message.channel,
                 message.bytes);
        if (blocks) {
            out_.put_statuses();
        } else {
            post(open(slot));
        }
    }

    void wait(std::span<const RequestSlot> slots, bool /*all*/) override {
        waits_.clear();
        for (const RequestSlot slot : slots) {
            waits_.insert(waits_.end(), requests_[slot].begin(), requests_[slot].end());
        }
        wait_for(waits_);
        has_waited_ = !waits_.empty();
    }

    Fate collective(const RankCollective& collective, RequestSlot slot) override;

  private:
    /// The call that began last.
    struct Call {
        const MpiCall* mpi_call = nullptr;
        bool has_record = false;
    };

    void record(Function function) {
        if (!begun_) initialise();
        call_.has_record = true;
        out_.begin(function, now_, now_);
    }

    /// Communicators are there from the end of MPI_Init on.
    void initialise() {
        begun_ = true;
        const bool in_call =
            call_.mpi_call != nullptr && call_.mpi_call->family == CallFamily::init;
        record(Function::Init);
        out_.put_int(0);  // no arguments
        if (!in_call) split();
    }

    void split() {
        for (const DumpiCommunicators::Split& split : trace_.communicators.splits()) {
            const bool member = split.colors[rank_] != kNone;
            record(Function::Comm_split);
            out_.put_comm(DumpiFile::kWorldComm);
            out_.put_int(member ? split.colors[rank_] : kNone);
            out_.put_int(split.keys[rank_]);
            out_.put_comm(member ? split.number : DumpiFile::kNullComm);
        }
        call_.has_record = false;
    }

    void transfer(Function function, u32 peer, u32 tag, u64 bytes) {
        const Elements elements = Elements::of(bytes, kDumpiTypes, "DUMPI");
        record(function);
        out_.put_int(elements.count);
        out_.put_type(elements.type);
        out_.put_int(peer);
        out_.put_int(tag);
        out_.put_comm(DumpiFile::kWorldComm);
    }

    std::vector<u32>& open(RequestSlot slot) {
        if (slot >= requests_.size()) requests_.resize(slot + 1);
        requests_[slot].clear();
        return requests_[slot];
    }

    void post(std::vector<u32>& requests) {
        requests.push_back(next_request_);
        out_.put_int(next_request_++);
    }

    void wait_for(std::span<const u32> requests) {
        if (requests.empty()) return;
        record(requests.size() == 1 ? Function::Wait : Function::Waitall);
        if (requests.size() == 1) {
            out_.put_int(requests.front());
        } else {
            out_.put_int(requests.size());
            out_.put_ints(requests);
        }
        out_.put_statuses();
    }

    /// Its counts are C ints of bytes.
    [[nodiscard]] bool is_native(const RankCollective& collective) const {
        return trace_.options.collectives == CollectiveAlgorithm::automatic &&
               !collective.exchange.is_inter() &&
               collective.exchange.largest_sum() <= Elements::kLargestCount;
    }

    void post_all(const RankCollective& collective, std::span<const ScheduledMessage> messages,
                  std::vector<u32>& requests);

    DumpiFile& out_;
    const DumpiTrace& trace_;
    u32 rank_;
    Call call_;
    u64 now_ = 0;  ///< nanoseconds
    u64 for_collectives_ = 0;
    bool begun_ = false;
    bool finalized_ = false;
    bool has_waited_ = false;  ///< the call that ends next
    u32 next_request_ = DumpiFile::kFirstRequest;
    std::vector<std::vector<u32>> requests_;  ///< by slot
    std::vector<u32> waits_;
    std::vector<ScheduledMessage> schedule_;
};

Fate DumpiWriter::collective(const RankCollective& collective, RequestSlot slot) {
    if (slot == kBlocking && is_native(collective)) {
        record(dumpi_function(collective.exchange.kind()));
        put_dumpi_arguments(collective.exchange, collective.member,
                            trace_.communicators.number(collective.context), out_);
        return Fate::written;
    }
    // What is not waited for at once has one round.
    const CollectiveAlgorithm algorithm =
        slot == kBlocking ? trace_.options.collectives : CollectiveAlgorithm::linear;
    make_schedule(collective.exchange, collective.member, algorithm, schedule_);
    if (slot != kBlocking) {
        post_all(collective, schedule_, open(slot));
        return Fate::expanded;
    }
    for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
        waits_.clear();
        post_all(collective, round, waits_);
        wait_for(waits_);
    });
    return Fate::expanded;
}

void DumpiWriter::post_all(const RankCollective& collective,
                           std::span<const ScheduledMessage> messages, std::vector<u32>& requests) {
    const u32 tag = trace_.survey.channel_count() + collective.context.number;
    for (const bool sends : {false, true}) {
        for (const ScheduledMessage& one : messages) {
            if (one.sends != sends) continue;
            for_collectives_ += sends ? 1 : 0;
            transfer(sends ? Function::Isend : Function::Irecv,
                     collective.context.members[one.peer], tag, one.bytes);
            post(requests);
        }
    }
}

/// Readers look for four digits, or as many as there are.
std::string name_of_rank(u32 rank) {
    std::string digits = std::to_string(rank);
    if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
    return "rank-" + digits + ".bin";
}

bool is_dumpi_file(const std::string& name) {
    static const std::regex names(R"(rank\.meta|rank-\d{4,}\.bin)");
    return std::regex_match(name, names);
}

u64 write_meta(const std::filesystem::path& folder, u32 ranks) {
    TextFile out(folder / "rank.meta");
    out << "hostname=node0\nnumprocs=" << ranks
        << "\nusername=<none>\nstartime=0\nfileprefix=rank\nversion=13\nsubversion=0\n"
           "subsubversion=0\n";
    out.commit();
    return out.size();
}

}  // namespace

ExportReport write_dumpi(TraceFile& file, const std::string& output, const ExportOptions& options) {
    require_ranks(file, "a DUMPI trace");
    AtomicDirectory folder(output, options.force, {"rank.meta", is_dumpi_file});
    const CommunicationSurvey survey(file, options.threads, options.sizes);
    const TraceClocks clocks(file);
    ExportTeam team(file, options);
    const DumpiCommunicators communicators(survey, team.ranks());
    const DumpiTrace trace{survey, clocks, communicators, options};
    const bool has_times = file.summary().timing != TimingLevel::none;
    team.run(team.ranks(), [&](ExportedPart& part) {
        const u32 rank = part.number;
        DumpiFile out(std::filesystem::path(folder.path()) / name_of_rank(rank), has_times);
        DumpiWriter writer(out, trace, rank);
        part.walk(survey, writer);
        writer.end();
        out.commit("node" + std::to_string(rank));
        ExportReport& of_rank = part.report;
        of_rank.bytes += out.size();
        of_rank.contain("calls", out.calls());
        of_rank.contain("calls that make communicators", out.calls(Function::Comm_split));
        of_rank.contain("sends for collective operations", writer.sent_for_collectives());
        of_rank.contain("sends", out.calls(Function::Send) + out.calls(Function::Isend));
        of_rank.contain("receives", out.calls(Function::Recv) + out.calls(Function::Irecv));
    });
    const u64 bytes = write_meta(folder.path(), team.ranks());
    folder.commit();
    return team.finish(bytes);
}

}  // namespace tracefold
