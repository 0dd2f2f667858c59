// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "file/common_clock.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/schedule.hpp"
#include "questions/calls/text_sink.hpp"

#include <limits>
#include <numeric>

namespace tracefold {

namespace {

using Kind = CollectiveKind;

/// The communicator of all ranks, followed by those of collective operations.
constexpr u32 kWorld = 1;
constexpr u32 kFirstContext = 2;

/// Dimemas's numbers of blocking operations, by kind; non-blocking ones use them as well.
constexpr u32 kOperationNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 11, 10, 12, 14, 14, 13};

struct Volume {
    u64 sent = 0;
    u64 received = 0;
};

u64 sum_of(const std::vector<u64>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), u64{0});
}

/// Total bytes that a member sends and receives, including its own part.
Volume volume_of(const Exchange& exchange, u32 member) {
    const u64 own = exchange.block(member);
    const u64 all = exchange.blocks(0, exchange.size());
    const bool is_root = member == exchange.root();
    std::vector<u64> sent;
    std::vector<u64> received;
    switch (exchange.kind()) {
        case Kind::gather:
        case Kind::gatherv:
            return {own, is_root ? all : 0};
        case Kind::scatter:
        case Kind::scatterv:
            return {is_root ? all : 0, own};
        case Kind::allgather:
        case Kind::allgatherv:
            return {own, all};
        case Kind::alltoall:
            return {all, all};
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return {all, own};
        case Kind::alltoallv:
        case Kind::alltoallw:
            exchange.sends(member, sent);
            exchange.receives(member, received);
            return {sum_of(sent), sum_of(received)};
        default:
            return {own, own};
    }
}

/// Writes the records of one task.
class DimemasWriter : public RankSink {
  public:
    DimemasWriter(TextOut& out, u32 rank, const CommunicationSurvey& survey,
                  const ExportOptions& options, ExportReport& report)
        : out_(out),
          task_(":" + std::to_string(rank) + ":0:"),
          survey_(survey),
          options_(options),
          report_(report) {}

    void end() {
        report_.contain("bursts", bursts_);
        report_.contain("sends", sends_);
        report_.contain("sends for collective operations", expanded_sends_);
        report_.contain("receives", receives_);
        report_.contain("collective operations", collectives_);
    }

    void compute(u64 between_calls, u64 in_calls) override {
        ++bursts_;
        out_ << '1' << task_ << TickRate().seconds_text(between_calls + in_calls) << '\n';
    }

    void send(const RankMessage& message, RequestSlot slot) override {
        write_send(message.peer, message.bytes, message.channel, slot != kBlocking);
        if (slot != kBlocking) open(slot);
    }

    void receive(const RankMessage& message, RequestSlot slot) override {
        const Receive receive{message.peer, message.bytes, message.channel};
        write_receive(receive, slot == kBlocking ? kWaits : kPosts);
        if (slot != kBlocking) open(slot).receives.push_back(receive);
    }

    ExportOutcome collective(const RankCollective& collective, RequestSlot slot) override {
        if (!is_native(collective.exchange)) {
            expand(collective, slot);
            return ExportOutcome::expanded;
        }
        const std::string record = record_of(collective);
        const bool is_reduce = collective.exchange.kind() == Kind::reduce;
        ++collectives_;
        out_ << record << (slot != kBlocking ? kStarts : is_reduce ? kRootWaits : kAllWait) << '\n';
        if (slot != kBlocking) open(slot).collective = record;
        return collective.exchange.kind() == Kind::exscan ? ExportOutcome::approximated
                                                          : ExportOutcome::written;
    }

    void wait(std::span<const RequestSlot> slots, bool /*all*/) override {
        for (const RequestSlot slot : slots) {
            const Request& request = requests_[slot];
            for (const Receive& receive : request.receives) write_receive(receive, kCompletes);
            if (!request.collective.empty()) out_ << request.collective << kEnds << '\n';
        }
    }

  private:
    static constexpr u32 kWaits = 0;
    static constexpr u32 kPosts = 1;
    static constexpr u32 kCompletes = 2;
    static constexpr u32 kImmediate = 2;
    // The role of a member in a collective operation.
    static constexpr u32 kStarts = 0;
    static constexpr u32 kAllWait = 1;
    static constexpr u32 kEnds = 2;
    static constexpr u32 kRootWaits = 3;

    struct Receive {
        u32 peer;
        u64 bytes;
        u32 tag;
    };
    /// The receives written at completion; that of a send writes nothing.
    struct Request {
        std::vector<Receive> receives;
        std::string collective;
    };

    Request& open(RequestSlot slot) {
        if (slot >= requests_.size()) requests_.resize(slot + 1);
        requests_[slot] = {};
        return requests_[slot];
    }

    void write_send(u32 peer, u64 bytes, u32 tag, bool immediate) {
        ++sends_;
        out_ << '2' << task_ << peer << ":-1:" << bytes << ':' << tag << ':' << kWorld << ':'
             << (immediate ? kImmediate : 0) << '\n';
    }

    void write_receive(const Receive& receive, u32 what) {
        receives_ += what != kCompletes ? 1 : 0;
        out_ << '3' << task_ << receive.peer << ":-1:" << receive.bytes << ':' << receive.tag << ':'
             << kWorld << ':' << what << '\n';
    }

    /// Dimemas has no operations between two groups, and counts their bytes in 31 bits.
    [[nodiscard]] bool is_native(const Exchange& exchange) const {
        constexpr u64 kMostBytes = std::numeric_limits<i32>::max();
        return options_.collectives == CollectiveAlgorithm::automatic && !exchange.is_inter() &&
               exchange.largest_sum() <= kMostBytes;
    }

    /// The record without its last field.
    [[nodiscard]] std::string record_of(const RankCollective& collective) const {
        const Exchange& exchange = collective.exchange;
        const Volume volume = volume_of(exchange, collective.member);
        const u32 number = kOperationNumbers[static_cast<std::size_t>(exchange.kind())];
        return "10" + task_ + std::to_string(number) + ":" +
               std::to_string(kFirstContext + collective.context.number) + ":" +
               std::to_string(root_field(collective)) + ":0:" + std::to_string(volume.sent) + ":" +
               std::to_string(volume.received) + ":";
    }

    /// The task of the root in reductions; otherwise whether this task is the root.
    static u32 root_field(const RankCollective& collective) {
        const u32 root = collective.exchange.root();
        if (collective.exchange.kind() == Kind::reduce) return collective.context.members[root];
        return collective.member == root ? 1 : 0;
    }

    /// Writes messages in place of an operation. Non-blocking operations have a single round.
    void expand(const RankCollective& collective, RequestSlot slot) {
        const bool blocks = slot == kBlocking;
        make_schedule(collective.exchange, collective.member,
                      blocks ? options_.collectives : CollectiveAlgorithm::linear, schedule_);
        if (!blocks) {
            open(slot).receives = post(collective.context, schedule_);
            return;
        }
        for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
            for (const Receive& receive : post(collective.context, round)) {
                write_receive(receive, kCompletes);
            }
        });
    }

    /// Returns the receives to wait for.
    std::vector<Receive> post(const CommunicationSurvey::Context& context,
                              std::span<const ScheduledMessage> messages) {
        const u32 tag = survey_.channel_count() + context.number;
        std::vector<Receive> receives;
        for (const ScheduledMessage& one : messages) {
            const u32 peer = context.members[one.peer];
            if (one.sends) {
                ++expanded_sends_;
                write_send(peer, one.bytes, tag, true);
            } else {
                receives.push_back({peer, one.bytes, tag});
                write_receive(receives.back(), kPosts);
            }
        }
        return receives;
    }

    TextOut& out_;
    std::string task_;
    const CommunicationSurvey& survey_;
    const ExportOptions& options_;
    ExportReport& report_;
    std::vector<Request> requests_;  ///< by slot
    std::vector<ScheduledMessage> schedule_;
    u64 bursts_ = 0;
    u64 sends_ = 0;  ///< including those for collective operations
    u64 expanded_sends_ = 0;
    u64 receives_ = 0;
    u64 collectives_ = 0;
};

/// The head contains the offset of the task offsets, inserted at the end with fixed digits.
constexpr std::string_view kHead = "#DIMEMAS:\"trace\":1,";
constexpr std::size_t kOffsetDigits = 15;

std::string offset_text(u64 offset) {
    const std::string digits = std::to_string(offset);
    return std::string(kOffsetDigits - digits.size(), '0') + digits;
}

void write_header(TextFile& out, const CommunicationSurvey& survey, u32 ranks) {
    out << kHead << offset_text(0) << ':' << ranks << '(';
    for (u32 rank = 0; rank < ranks; ++rank) out << (rank == 0 ? "1" : ",1");
    out << ")," << survey.context_count() + 1 << ",0,0\nd:1:" << kWorld << ':' << ranks;
    for (u32 rank = 0; rank < ranks; ++rank) out << ':' << rank;
    out << '\n';
    for (const CommunicationSurvey::Context& context : survey.contexts()) {
        out << "d:1:" << kFirstContext + context.number << ':' << context.members.size();
        for (const u32 member : context.members) out << ':' << member;
        out << '\n';
    }
}

/// Writes the offsets of all tasks' records, the first one at `offset`: Dimemas reads uninitialised
/// memory without them.
void write_offsets(TextFile& out, u64 offset, const std::vector<u64>& sizes) {
    const u64 here = out.size();
    for (std::size_t task = 0; task < sizes.size(); ++task) {
        out << "s:" << task << ':' << offset << '\n';
        offset += sizes[task];
    }
    out.overwrite(kHead.size(), offset_text(here));
}

}  // namespace

ExportReport write_dimemas(TraceFile& file, const std::string& output,
                           const ExportOptions& options) {
    require_ranks(file, "a Dimemas trace");
    TextFile out(output, options.force);
    const CommunicationSurvey survey(file, options.threads, options.sizes);
    ExportTeam team(file, options);
    write_header(out, survey, team.ranks());
    const u64 first = out.size();
    const std::vector<u64> sizes =
        team.run(team.ranks(), out, [&](ExportedPart& part, TextOut& text) {
            DimemasWriter writer(text, part.number, survey, options, part.report);
            part.walk(survey, writer);
            writer.end();
        });
    write_offsets(out, first, sizes);
    out.commit();
    return team.finish(out.size());
}

}  // namespace tracefold
