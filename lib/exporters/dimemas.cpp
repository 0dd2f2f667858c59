// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/formats.hpp"
#include "exporters/rank_stream.hpp"
#include "exporters/text_file.hpp"

namespace tracefold {

namespace {

using Kind = CollectiveKind;

/// Communicator of all ranks; those of collective operations follow it.
constexpr u32 kWorld = 1;
constexpr u32 kFirstContext = 2;

/// Numbers of operations that block; those of the others are 16 more.
constexpr u32 kNonBlocking = 16;

u32 operation_number(Kind kind) {
    switch (kind) {
        case Kind::barrier:
            return 0;
        case Kind::bcast:
            return 1;
        case Kind::gather:
            return 2;
        case Kind::gatherv:
            return 3;
        case Kind::scatter:
            return 4;
        case Kind::scatterv:
            return 5;
        case Kind::allgather:
            return 6;
        case Kind::allgatherv:
            return 7;
        case Kind::alltoall:
            return 8;
        case Kind::alltoallv:
            return 9;
        case Kind::alltoallw:
            return 15;
        case Kind::allreduce:
            return 11;
        case Kind::reduce:
            return 10;
        case Kind::reduce_scatter:
            return 12;
        case Kind::reduce_scatter_block:
            return 13;
        case Kind::scan:
        case Kind::exscan:
            return 14;
        default:
            break;
    }
    return 0;
}

struct Volume {
    u64 sent = 0;
    u64 received = 0;
};

u64 sum_of(const std::vector<u64>& sizes) {
    u64 sum = 0;
    for (const u64 bytes : sizes) sum += bytes;
    return sum;
}

/// What a member sends and receives in all, its own part included.
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
    DimemasWriter(TextFile& out, u32 rank, const ExportSurvey& survey, ExportReport& report)
        : out_(out), task_(":" + std::to_string(rank) + ":0:"), survey_(survey), report_(report) {}

    ~DimemasWriter() override {
        report_.contain("bursts", bursts_);
        report_.contain("sends", sends_);
        report_.contain("receives", receives_);
        report_.contain("collective operations", collectives_);
    }
    DimemasWriter(const DimemasWriter&) = delete;
    DimemasWriter& operator=(const DimemasWriter&) = delete;

    void compute(u64 nanoseconds) override {
        ++bursts_;
        std::string fraction = std::to_string(nanoseconds % kSecond);
        fraction.insert(0, 9 - fraction.size(), '0');
        out_ << '1' << task_ << nanoseconds / kSecond << '.' << fraction << '\n';
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

    Fate collective(const RankCollective& collective, RequestSlot slot) override {
        if (collective.exchange.is_inter()) return expand(collective, slot);
        std::string record = record_of(collective, slot != kBlocking);
        ++collectives_;
        out_ << record << (slot == kBlocking ? '1' : '0') << '\n';
        if (slot != kBlocking) open(slot).collective = std::move(record);
        return collective.exchange.kind() == Kind::exscan ? Fate::approximated : Fate::written;
    }

    void wait(std::span<const RequestSlot> slots, bool /*all*/) override {
        for (const RequestSlot slot : slots) {
            const Request& request = requests_[slot];
            for (const Receive& receive : request.receives) write_receive(receive, kCompletes);
            if (!request.collective.empty()) out_ << request.collective << "2\n";
        }
    }

  private:
    static constexpr u64 kSecond = 1'000'000'000;
    static constexpr u32 kWaits = 0;
    static constexpr u32 kPosts = 1;
    static constexpr u32 kCompletes = 2;
    static constexpr u32 kImmediate = 2;

    struct Receive {
        u32 peer;
        u64 bytes;
        u32 tag;
    };
    /// What its completion writes; that of a send writes nothing.
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

    /// The record but for its last field.
    [[nodiscard]] std::string record_of(const RankCollective& collective, bool posts) const {
        const Exchange& exchange = collective.exchange;
        const Volume volume = volume_of(exchange, collective.member);
        const u32 number = operation_number(exchange.kind()) + (posts ? kNonBlocking : 0);
        return "10" + task_ + std::to_string(number) + ":" +
               std::to_string(kFirstContext + collective.context.number) +
               (collective.member == exchange.root() ? ":1:0:" : ":0:0:") +
               std::to_string(volume.sent) + ":" + std::to_string(volume.received) + ":";
    }

    /// Between two groups, messages stand for the operation.
    Fate expand(const RankCollective& collective, RequestSlot slot) {
        make_schedule(collective.exchange, collective.member, CollectiveAlgorithm::linear,
                      schedule_);
        const u32 tag = survey_.channel_count() + collective.context.number;
        std::vector<Receive> receives;
        for (const ScheduledMessage& one : schedule_) {
            const u32 peer = collective.context.members[one.peer];
            if (one.sends) {
                write_send(peer, one.bytes, tag, true);
            } else {
                receives.push_back({peer, one.bytes, tag});
                write_receive(receives.back(), kPosts);
            }
        }
        if (slot != kBlocking) {
            open(slot).receives = std::move(receives);
        } else {
            for (const Receive& receive : receives) write_receive(receive, kCompletes);
        }
        return Fate::expanded;
    }

    TextFile& out_;
    std::string task_;
    const ExportSurvey& survey_;
    ExportReport& report_;
    std::vector<Request> requests_;  ///< by slot
    std::vector<ScheduledMessage> schedule_;
    u64 bursts_ = 0;
    u64 sends_ = 0;
    u64 receives_ = 0;
    u64 collectives_ = 0;
};

void write_header(TextFile& out, const ExportSurvey& survey, u32 ranks) {
    // The 0 says that no offsets of tasks follow at the end.
    out << "#DIMEMAS:\"trace\":0:" << ranks << '(';
    for (u32 rank = 0; rank < ranks; ++rank) out << (rank == 0 ? "1" : ",1");
    out << ")," << survey.context_count() + 1 << ",0,0\nd:1:" << kWorld << ':' << ranks;
    for (u32 rank = 0; rank < ranks; ++rank) out << ':' << rank;
    out << '\n';
    for (const ExportSurvey::Context& context : survey.contexts()) {
        out << "d:1:" << kFirstContext + context.number << ':' << context.members.size();
        for (const u32 member : context.members) out << ':' << member;
        out << '\n';
    }
}

}  // namespace

ExportReport write_dimemas(TraceFile& file, const std::string& output,
                           const ExportOptions& options) {
    require_ranks(file, "a Dimemas trace");
    TextFile out(output, options.force);
    const ExportSurvey survey(file);
    ExportReport report;
    report.ranks = file.definitions().world_size();
    CallFates fates(file.definitions());
    write_header(out, survey, report.ranks);
    for (u32 rank = 0; rank < report.ranks; ++rank) {
        DimemasWriter writer(out, rank, survey, report);
        RankStream stream(file, survey, rank, writer, fates);
        report.calls += stream.run(options.progress);
    }
    out.commit();
    report.bytes = out.size();
    finish_report(file, fates, report);
    return report;
}

}  // namespace tracefold
