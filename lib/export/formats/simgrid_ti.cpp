// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/atomic_directory.hpp"
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "file/common_clock.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/schedule.hpp"
#include "questions/calls/text_sink.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <regex>

namespace tracefold {

namespace {

using Kind = CollectiveKind;

constexpr u32 kByte = 6;
constexpr ElementType kTypes[] = {{1, kByte}, {8, 0}, {16, 26}, {32, 27}};

/// Writes the actions of one rank.
class TiWriter : public RankSink {
  public:
    TiWriter(TextOut& out, u32 rank, const CommunicationSurvey& survey, u32 world_size,
             const ExportOptions& options, ExportReport& report)
        : out_(out),
          prefix_(std::to_string(rank) + " "),
          rank_(rank),
          survey_(survey),
          world_size_(world_size),
          options_(options),
          report_(report),
          whole_world_(survey.context_count()) {}

    void begin() { line(action_init) << '\n'; }
    void end() {
        line(action_finalize) << '\n';
        for (std::size_t i = 0; i < std::size(kActions); ++i) {
            report_.contain(kActions[i], counts_[i]);
        }
    }

    /// Time in MPI calls is no work, which a faster node would speed up.
    void compute(u64 between_calls, u64 in_calls) override {
        const double flops = std::round(static_cast<double>(between_calls) * options_.flops_per_ns);
        if (flops >= 1) line(action_compute) << ' ' << static_cast<u64>(flops) << '\n';
        if (in_calls == 0) return;
        line(action_sleep) << ' ' << TickRate().seconds_text(in_calls) << '\n';
    }

    void send(const RankMessage& message, RequestSlot slot) override {
        transfer(slot == kBlocking ? action_send : action_isend, message.peer, message.channel,
                 message.bytes);
        if (slot != kBlocking) open(slot).push_back({rank_, message.peer, message.channel});
    }

    void receive(const RankMessage& message, RequestSlot slot) override {
        transfer(slot == kBlocking ? action_recv : action_irecv, message.peer, message.channel,
                 message.bytes);
        if (slot != kBlocking) open(slot).push_back({message.peer, rank_, message.channel});
    }

    void wait(std::span<const RequestSlot> slots, bool all) override {
        bool any = false;
        for (const RequestSlot slot : slots) any = any || !requests_[slot].empty();
        if (!any) return;
        if (all && slots.size() > 1) {
            line(action_waitall) << '\n';
            return;
        }
        for (const RequestSlot slot : slots) {
            for (const Request& request : requests_[slot]) wait(request);
        }
    }

    ExportOutcome collective(const RankCollective& collective, RequestSlot slot) override {
        if (slot == kBlocking && is_native(collective)) {
            write_native(collective);
            return ExportOutcome::written;
        }
        // SimGrid has no progress in the background: non-blocking operations have a single round.
        const CollectiveAlgorithm algorithm =
            slot == kBlocking ? options_.collectives : CollectiveAlgorithm::linear;
        make_schedule(collective.exchange, collective.member, algorithm, schedule_);
        if (slot != kBlocking) {
            post(collective, schedule_, open(slot));
            return ExportOutcome::expanded;
        }
        for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
            if (round.size() == 1) {
                const ScheduledMessage& only = round.front();
                transfer(only.sends ? action_send : action_recv,
                         collective.context.members[only.peer], tag_of(collective.context),
                         only.bytes);
                return;
            }
            round_.clear();
            post(collective, round, round_);
            for (const Request& request : round_) wait(request);
        });
        return ExportOutcome::expanded;
    }

  private:
    enum Name : u8 {
        action_init,
        action_finalize,
        action_compute,
        action_sleep,
        action_send,
        action_isend,
        action_recv,
        action_irecv,
        action_wait,
        action_waitall,
        action_collective,  ///< of the first kind; the others follow
    };
    static constexpr std::string_view kActions[] = {
        "init", "finalize", "compute", "sleep", "send", "isend", "recv", "irecv", "wait", "waitall",
        // By kind.
        "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
        "alltoall", "alltoallv", "alltoallv", "allreduce", "reduce", "reducescatter", "scan",
        "exscan", "reducescatter"};

    struct Request {
        u32 source;
        u32 destination;
        u32 tag;
    };

    TextOut& line(Name action) {
        ++counts_[action];
        return out_ << prefix_ << kActions[action];
    }

    void transfer(Name action, u32 peer, u32 tag, u64 bytes) {
        const Elements elements = Elements::of(bytes, kTypes, "SimGrid");
        line(action) << ' ' << peer << ' ' << tag << ' ' << elements.count;
        if (elements.type != kByte) out_ << ' ' << elements.type;
        out_ << '\n';
    }

    void wait(const Request& request) {
        line(action_wait) << ' ' << request.source << ' ' << request.destination << ' '
                          << request.tag << '\n';
    }

    void post(const RankCollective& collective, std::span<const ScheduledMessage> transfers,
              std::vector<Request>& requests) {
        const u32 tag = tag_of(collective.context);
        for (const bool sends : {false, true}) {
            for (const ScheduledMessage& one : transfers) {
                if (one.sends != sends) continue;
                const u32 peer = collective.context.members[one.peer];
                transfer(sends ? action_isend : action_irecv, peer, tag, one.bytes);
                requests.push_back(sends ? Request{rank_, peer, tag} : Request{peer, rank_, tag});
            }
        }
    }

    std::vector<Request>& open(RequestSlot slot) {
        if (slot >= requests_.size()) requests_.resize(slot + 1);
        requests_[slot].clear();
        return requests_[slot];
    }

    /// Tags of messages for collective operations follow those of the trace.
    [[nodiscard]] u32 tag_of(const CommunicationSurvey::Context& context) const {
        return survey_.channel_count() + context.number;
    }

    /// SimGrid only has collective operations of all ranks; its counts have one width per action.
    [[nodiscard]] bool is_native(const RankCollective& collective) {
        return options_.collectives == CollectiveAlgorithm::automatic &&
               is_world(collective.context) &&
               collective.exchange.largest_sum() <= Elements::kLargestCount;
    }

    [[nodiscard]] bool is_world(const CommunicationSurvey::Context& context) {
        std::optional<bool>& known = whole_world_[context.number];
        if (!known) known = is_whole_world(context, world_size_);
        return *known;
    }

    void write_native(const RankCollective& collective);
    void write_counts(const Exchange& exchange) {
        for (u32 member = 0; member < exchange.size(); ++member) {
            out_ << ' ' << exchange.block(member);
        }
    }
    void write_sums_and_counts(const RankCollective& collective);

    TextOut& out_;
    std::string prefix_;
    u32 rank_;
    const CommunicationSurvey& survey_;
    u32 world_size_;
    const ExportOptions& options_;
    ExportReport& report_;
    std::array<u64, std::size(kActions)> counts_{};
    std::vector<std::optional<bool>> whole_world_;  ///< by context
    std::vector<std::vector<Request>> requests_;    ///< by slot
    std::vector<Request> round_;
    std::vector<ScheduledMessage> schedule_;
    std::vector<u64> sizes_;
};

void TiWriter::write_native(const RankCollective& collective) {
    const Exchange& exchange = collective.exchange;
    const u64 own = exchange.block(collective.member);
    line(static_cast<Name>(action_collective + static_cast<u32>(exchange.kind())));
    switch (exchange.kind()) {
        case Kind::bcast:
            out_ << ' ' << own << ' ' << exchange.root();
            break;
        case Kind::reduce:
            out_ << ' ' << own << " 0 " << exchange.root();
            break;
        case Kind::allreduce:
        case Kind::scan:
        case Kind::exscan:
            out_ << ' ' << own << " 0";
            break;
        case Kind::alltoall:
        case Kind::allgather:
            out_ << ' ' << own << ' ' << own;
            break;
        case Kind::gather:
        case Kind::scatter:
            out_ << ' ' << own << ' ' << own << ' ' << exchange.root();
            break;
        case Kind::allgatherv:
            out_ << ' ' << own;
            write_counts(exchange);
            break;
        case Kind::gatherv:
            out_ << ' ' << own;
            write_counts(exchange);
            out_ << ' ' << exchange.root();
            break;
        case Kind::scatterv:
            write_counts(exchange);
            out_ << ' ' << own << ' ' << exchange.root();
            break;
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            write_counts(exchange);
            out_ << " 0";
            break;
        case Kind::alltoallv:
        case Kind::alltoallw:
            write_sums_and_counts(collective);
            break;
        default:
            break;
    }
    out_ << '\n';
}

/// Writes the bytes that a member sends, then receives: in total, and per partner.
void TiWriter::write_sums_and_counts(const RankCollective& collective) {
    for (const bool sends : {true, false}) {
        if (sends) {
            collective.exchange.sends(collective.member, sizes_);
        } else {
            collective.exchange.receives(collective.member, sizes_);
        }
        out_ << ' ' << std::accumulate(sizes_.begin(), sizes_.end(), u64{0});
        for (const u64 bytes : sizes_) out_ << ' ' << bytes;
    }
}

/// Writes platform.xml, a cluster with a node per rank, and its hostfile, as templates. Returns
/// their bytes.
u64 write_simgrid_platform(const std::filesystem::path& folder, u32 ranks,
                           const ExportOptions& options) {
    TextFile platform(folder / "platform.xml");
    platform
        << "<?xml version='1.0'?>\n"
           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n"
           "  <config>\n"
           "    <!-- The option cfg=smpi/alltoallv:ring of smpirun. Without it all messages of an\n"
           "         MPI_Alltoallv are under way at once: minutes for one of 128 ranks. -->\n"
           "    <prop id=\"smpi/alltoallv\" value=\"ring\"/>\n"
           "    <!-- Sends of fewer bytes do not wait for their receive: the eager limit. -->\n"
           "    <prop id=\"smpi/send-is-detached-thresh\" value=\"65536\"/>\n"
           "    <!-- SimGrid multiplies latencies and bandwidths by factors measured on a cluster\n"
           "         with Gigabit Ethernet. For those below as they stand, add\n"
           "         <prop id=\"smpi/lat-factor\" value=\"0:1\"/> and\n"
           "         <prop id=\"smpi/bw-factor\" value=\"0:1\"/>. The speed of the host that\n"
           "         simulates (smpi/host-speed) does not matter. -->\n"
           "  </config>\n"
           "  <!-- A switch that never blocks. With this speed computation takes as long as it "
           "was recorded;\n"
           "       a node of twice the speed has twice the number. Add for example\n"
           "       topology=\"FAT_TREE\" topo_parameters=\"2;8,8;1,4;1,1\". -->\n"
           "  <cluster id=\"cluster\" prefix=\"node-\" suffix=\"\" radical=\"0-"
        << ranks - 1 << "\" speed=\"" << options.flops_per_ns
        << "Gf\" bw=\"12.5GBps\" lat=\"1us\"/>\n"
           "</platform>\n";
    platform.commit();
    TextFile hosts(folder / "hostfile");
    for (u32 rank = 0; rank < ranks; ++rank) hosts << "node-" << rank << '\n';
    hosts.commit();
    return platform.size() + hosts.size();
}

std::string ti_file_name(u32 rank) { return "rank-" + std::to_string(rank) + ".ti"; }

bool is_ti_file(const std::string& name) {
    static const std::regex names(R"(ranks\.txt|rank-\d+\.ti|platform\.xml|hostfile)");
    return std::regex_match(name, names);
}

}  // namespace

ExportReport write_simgrid_ti(TraceFile& file, const std::string& output,
                              const ExportOptions& options) {
    require_ranks(file, "a SimGrid trace");
    AtomicDirectory folder(output, options.force, {"ranks.txt", is_ti_file});
    const std::filesystem::path path = folder.path();
    const CommunicationSurvey survey(file, options.threads, options.sizes);
    ExportTeam team(file, options);
    team.run(team.ranks(), [&](ExportedPart& part) {
        TextFile out(path / ti_file_name(part.number));
        out << "# " << options.flops_per_ns << " flops per nanosecond of computation\n# tags from "
            << survey.channel_count() << " on stand for collective operations\n";
        TiWriter writer(out, part.number, survey, team.ranks(), options, part.report);
        writer.begin();
        part.walk(survey, writer);
        writer.end();
        out.commit();
        part.report.bytes += out.size();
    });
    TextFile list(path / "ranks.txt");
    for (u32 rank = 0; rank < team.ranks(); ++rank) list << ti_file_name(rank) << '\n';
    list.commit();
    u64 bytes = list.size();
    if (options.platform_template) bytes += write_simgrid_platform(path, team.ranks(), options);
    folder.commit();
    return team.finish(bytes);
}

}  // namespace tracefold
