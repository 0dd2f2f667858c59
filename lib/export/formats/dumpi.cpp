// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/atomic_directory.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "export/formats/rank_walk.hpp"
#include "mpi/exchange.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/schedule.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// MPI functions as numbered in DUMPI files.
enum class DumpiFunction : u16 {
    Send = 0,
    Recv = 1,
    Isend = 8,
    Irecv = 12,
    Wait = 13,
    Waitall = 18,
    Barrier = 52,
    Bcast = 53,
    Gather = 54,
    Gatherv = 55,
    Scatter = 56,
    Scatterv = 57,
    Allgather = 58,
    Allgatherv = 59,
    Alltoall = 60,
    Alltoallv = 61,
    Reduce = 62,
    Allreduce = 65,
    Reduce_scatter = 66,
    Scan = 67,
    Comm_split = 86,
    Init = 124,
    Finalize = 125,
    Exscan = 156,
};

/// A DUMPI file of one rank, format 13.0.0: a magic number; the biases of the clocks; a record for
/// each call (function, flags of its contents, thread, begin and end, arguments); header, footer
/// with the number of calls of each function, key values, sizes of datatypes; an index. All numbers
/// are big endian. Written atomically. Memory: a fixed buffer.
class DumpiFile {
  public:
    static constexpr u8 kSum = 3;
    static constexpr u32 kByte = 5;
    static constexpr u32 kDouble = 14;
    static constexpr u32 kLongDouble = 15;
    static constexpr u16 kNullComm = 1;
    static constexpr u16 kWorldComm = 2;
    static constexpr u16 kFirstComm = 4;
    static constexpr u32 kFirstRequest = 2;

    /// See AtomicFile. Without times, records have none.
    DumpiFile(const std::filesystem::path& path, bool has_times);

    /// Begins the record of a call, followed by its arguments. Times in nanoseconds. Throws Error:
    /// io, unsupported (a time beyond the format's range).
    void begin(DumpiFunction function, u64 begin_ns, u64 end_ns);
    /// Changes the end of the last record.
    void end_last_at(u64 end_ns);

    void put_op() { put<u8>(kSum); }
    void put_type(u32 type = kByte) { put(static_cast<u16>(type)); }
    void put_comm(u16 comm) { put(comm); }
    void put_int(u64 value) { put(static_cast<u32>(value)); }
    void put_ints(std::span<const u32> values);
    /// No status is recorded.
    void put_statuses() { put_int(0); }

    /// Writes the sections after the records, and publishes the file. Throws Error(io).
    void commit(const std::string& host);
    [[nodiscard]] u64 size() const { return file_.size() + buffer_.size(); }
    /// Records so far, of all functions or of one.
    [[nodiscard]] u64 calls() const;
    [[nodiscard]] u64 calls(DumpiFunction function) const {
        return counts_[static_cast<std::size_t>(function)];
    }

  private:
    static constexpr std::size_t kFunctions = 290;

    template <class Number>
    void put(Number number) {
        for (std::size_t byte = sizeof(Number); byte-- > 0;) {
            buffer_ += static_cast<char>(static_cast<u64>(number) >> (8 * byte));
        }
    }
    void put_text(std::string_view text);
    void put_time(u64 nanoseconds);

    AtomicFile file_;
    bool has_times_;
    std::string buffer_;
    std::size_t last_end_ = 0;  ///< position in the buffer of the last record's end time
    std::array<u32, kFunctions + 1> counts_{};
};

namespace {

constexpr std::string_view kMagic{
    "\xff\xaa\xdd"
    "DUMPI",
    8};
constexpr u64 kSecond = 1'000'000'000;
constexpr std::size_t kBuffer = 1U << 16U;

constexpr u8 kDumpiVersion[] = {13, 0, 0};
constexpr u64 kFooterMagic = 0xf007fee7;
constexpr u16 kEndOfStream = 293;

// Flags of a record: thread, times, statuses.
constexpr u8 kThread = 0x40;
constexpr u8 kWallTime = 0x08;
constexpr u8 kStatuses = 0x03;

/// Bytes of predefined datatypes, by number.
constexpr u32 kTypeBytes[] = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                              8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

}  // namespace

DumpiFile::DumpiFile(const std::filesystem::path& path, bool has_times)
    : file_(path), has_times_(has_times), buffer_(kMagic) {
    // Both clocks count from 0.
    put<u32>(0);
    put<u32>(0);
}

void DumpiFile::begin(DumpiFunction function, u64 begin_ns, u64 end_ns) {
    if (buffer_.size() >= kBuffer) {
        file_.write(buffer_);
        buffer_.clear();
    }
    ++counts_[static_cast<std::size_t>(function)];
    put(static_cast<u16>(function));
    put(static_cast<u8>(kThread | kStatuses | (has_times_ ? kWallTime : 0)));
    put<u16>(0);
    if (!has_times_) return;
    put_time(begin_ns);
    last_end_ = buffer_.size();
    put_time(end_ns);
}

void DumpiFile::end_last_at(u64 end_ns) {
    if (!has_times_) return;
    const std::size_t length = buffer_.size();
    put_time(end_ns);
    const std::string time = buffer_.substr(length);
    buffer_.resize(length);
    buffer_.replace(last_end_, time.size(), time);
}

void DumpiFile::put_time(u64 nanoseconds) {
    const u64 seconds = nanoseconds / kSecond;
    if (seconds > 0xffff) {
        throw Error(ErrorKind::unsupported,
                    "the trace is longer than the 18 hours that DUMPI can represent");
    }
    put(static_cast<u16>(seconds));
    put(static_cast<u32>(nanoseconds % kSecond));
}

u64 DumpiFile::calls() const { return std::accumulate(counts_.begin(), counts_.end(), u64{0}); }

void DumpiFile::put_ints(std::span<const u32> values) {
    put_int(values.size());
    for (const u32 value : values) put(value);
}

void DumpiFile::put_text(std::string_view text) {
    put(static_cast<u16>(text.size()));
    buffer_ += text;
}

void DumpiFile::commit(const std::string& host) {
    put(kEndOfStream);
    const u64 header = size();
    for (const u8 part : kDumpiVersion) put(part);
    put<u64>(0);  // equal traces get the same date
    put_text(host);
    put_text("<none>");
    put_ints({});  // no position in a mesh, no mesh
    put_ints({});
    const u64 footer = size();
    put(kFooterMagic);
    for (const u32 count : counts_) put(count);
    for (std::size_t i = 0; i <= kFunctions; ++i) put<u32>(0);  // ignored calls
    const u64 keys = size();
    put<u32>(0);
    const u64 sizes = size();
    put_ints(kTypeBytes);
    buffer_ += kMagic;
    // No addresses of callers, no counters.
    for (const u64 offset : {sizes, u64{0}, u64{0}, header, u64{kMagic.size()}, footer, keys}) {
        put(offset);
    }
    file_.write(buffer_);
    buffer_.clear();
    file_.commit();
}

/// The function for a collective operation. Precondition: is_communication(kind).
DumpiFunction dumpi_function(CollectiveKind kind);

/// Writes the arguments of a member's call, sizes in bytes. Precondition: no sum of sizes exceeds
/// Elements::kLargestCount, and the operation has a single group.
void put_dumpi_arguments(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out);

namespace {

using Function = DumpiFunction;
using Kind = CollectiveKind;

/// Functions for operations that move data, and for the barrier, by kind.
constexpr Function kDumpiFunctions[] = {
    Function::Barrier,       Function::Bcast,          Function::Gather,    Function::Gatherv,
    Function::Scatter,       Function::Scatterv,       Function::Allgather, Function::Allgatherv,
    Function::Alltoall,      Function::Alltoallv,      Function::Alltoallv, Function::Allreduce,
    Function::Reduce,        Function::Reduce_scatter, Function::Scan,      Function::Exscan,
    Function::Reduce_scatter};

/// Counts, and the displacements of contiguous parts.
void put_counts(const std::vector<u64>& sizes, bool with_displacements, DumpiFile& out) {
    std::vector<u32> values(sizes.begin(), sizes.end());
    out.put_ints(values);
    if (!with_displacements) return;
    u32 begin = 0;
    for (u32& value : values) begin += std::exchange(value, begin);
    out.put_ints(values);
}

void put_blocks(const Exchange& exchange, bool with_displacements, DumpiFile& out) {
    std::vector<u64> sizes;
    for (u32 member = 0; member < exchange.size(); ++member) {
        sizes.push_back(exchange.block(member));
    }
    put_counts(sizes, with_displacements, out);
}

/// Arguments of all members, then those of the root.
void put_rooted(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out) {
    const Kind kind = exchange.kind();
    const bool has_counts = kind == Kind::gatherv || kind == Kind::scatterv;
    const u64 own = exchange.block(member);
    out.put_int(member);
    if (has_counts) out.put_int(exchange.size());
    if (kind == Kind::scatterv) out.put_type();
    out.put_int(own);
    out.put_type();
    out.put_int(exchange.root());
    out.put_comm(comm);
    if (member == exchange.root()) {
        if (has_counts) {
            put_blocks(exchange, true, out);
        } else {
            out.put_int(own);
            out.put_type();
        }
    }
    if (kind == Kind::gatherv) out.put_type();
}

void put_alltoallv(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out) {
    std::vector<u64> sizes;
    out.put_int(exchange.size());
    exchange.sends(member, sizes);
    put_counts(sizes, true, out);
    out.put_type();
    exchange.receives(member, sizes);
    put_counts(sizes, true, out);
    out.put_type();
    out.put_comm(comm);
}

}  // namespace

DumpiFunction dumpi_function(CollectiveKind kind) {
    return kDumpiFunctions[static_cast<std::size_t>(kind)];
}

void put_dumpi_arguments(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out) {
    const u64 own = exchange.block(member);
    switch (exchange.kind()) {
        case Kind::bcast:
            out.put_int(own);
            out.put_type();
            out.put_int(exchange.root());
            break;
        case Kind::reduce:
        case Kind::allreduce:
        case Kind::scan:
        case Kind::exscan:
            out.put_int(own);
            out.put_type();
            out.put_op();
            if (exchange.kind() == Kind::reduce) out.put_int(exchange.root());
            break;
        case Kind::alltoall:
        case Kind::allgather:
            out.put_int(own);
            out.put_type();
            out.put_int(own);
            out.put_type();
            break;
        case Kind::allgatherv:
            out.put_int(exchange.size());
            out.put_int(own);
            out.put_type();
            put_blocks(exchange, true, out);
            out.put_type();
            break;
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            out.put_int(exchange.size());
            put_blocks(exchange, false, out);
            out.put_type();
            out.put_op();
            break;
        case Kind::gather:
        case Kind::gatherv:
        case Kind::scatter:
        case Kind::scatterv:
            return put_rooted(exchange, member, comm, out);
        case Kind::alltoallv:
        case Kind::alltoallw:
            return put_alltoallv(exchange, member, comm, out);
        default:
            break;
    }
    out.put_comm(comm);
}

/// The communicators of collective operations, made by splits of that of all ranks: a split makes
/// disjoint ones. Intercommunicators are left out. Memory: a number for each rank and split.
class DumpiCommunicators {
  public:
    /// Throws Error(unsupported) if there are more than the format can number.
    DumpiCommunicators(const CommunicationSurvey& survey, u32 ranks);

    /// Number of the communicator of a context.
    [[nodiscard]] u16 number(const CommunicationSurvey::Context& context) const {
        return numbers_[context.number];
    }

    struct Split {
        std::vector<u32> colors;  ///< by rank; kNone: none
        std::vector<u32> keys;
        u16 number = 0;  ///< of the new communicators
    };
    [[nodiscard]] const std::vector<Split>& splits() const { return splits_; }

  private:
    void split(const CommunicationSurvey::Context& context, u32 ranks);
    [[nodiscard]] bool fits(const Split& split, const CommunicationSurvey::Context& context) const;

    std::vector<u16> numbers_;  ///< by context
    std::vector<Split> splits_;
};

DumpiCommunicators::DumpiCommunicators(const CommunicationSurvey& survey, u32 ranks)
    : numbers_(survey.context_count(), DumpiFile::kWorldComm) {
    for (const CommunicationSurvey::Context& context : survey.contexts()) {
        const bool is_inter = context.first_side != context.members.size();
        if (!is_inter && !is_whole_world(context, ranks)) split(context, ranks);
    }
}

bool DumpiCommunicators::fits(const Split& split,
                              const CommunicationSurvey::Context& context) const {
    return std::ranges::all_of(context.members,
                               [&](u32 rank) { return split.colors[rank] == kNone; });
}

void DumpiCommunicators::split(const CommunicationSurvey::Context& context, u32 ranks) {
    if (splits_.empty() || !fits(splits_.back(), context)) {
        const std::size_t number = splits_.size() + DumpiFile::kFirstComm;
        if (number > 0xffff) {
            throw Error(ErrorKind::unsupported,
                        "the trace has more communicators than DUMPI can number");
        }
        splits_.push_back(
            {std::vector<u32>(ranks, kNone), std::vector<u32>(ranks, 0), static_cast<u16>(number)});
    }
    Split& last = splits_.back();
    for (u32 member = 0; member < context.members.size(); ++member) {
        last.colors[context.members[member]] = context.number;
        last.keys[context.members[member]] = member;
    }
    numbers_[context.number] = last.number;
}

namespace {

using Function = DumpiFunction;

constexpr ElementType kDumpiTypes[] = {
    {1, DumpiFile::kByte}, {8, DumpiFile::kDouble}, {16, DumpiFile::kLongDouble}};

/// Data shared by all ranks.
struct DumpiTrace {
    const CommunicationSurvey& survey;
    const TraceClocks& clocks;
    const DumpiCommunicators& communicators;
    const ExportOptions& options;
};

/// Writes the calls of one rank. The last record of a call takes all of its time.
class DumpiWriter : public RankSink {
  public:
    DumpiWriter(DumpiFile& out, const DumpiTrace& trace, u32 rank)
        : out_(out), trace_(trace), rank_(rank) {}

    /// Adds a missing MPI_Finalize.
    void end() {
        if (!begun_) initialise();
        if (!finalized_) record(Function::Finalize);
    }

    /// Messages sent for collective operations.
    [[nodiscard]] u64 sent_for_collectives() const { return for_collectives_; }

    /// Computation is implied by the gaps between calls.
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

    ExportOutcome collective(const RankCollective& collective, RequestSlot slot) override;

  private:
    /// The last call begun.
    struct Call {
        const MpiCall* mpi_call = nullptr;
        bool has_record = false;
    };

    void record(Function function) {
        if (!begun_) initialise();
        call_.has_record = true;
        out_.begin(function, now_, now_);
    }

    /// Communicators exist from the end of MPI_Init on.
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

ExportOutcome DumpiWriter::collective(const RankCollective& collective, RequestSlot slot) {
    if (slot == kBlocking && is_native(collective)) {
        record(dumpi_function(collective.exchange.kind()));
        put_dumpi_arguments(collective.exchange, collective.member,
                            trace_.communicators.number(collective.context), out_);
        return ExportOutcome::written;
    }
    // Non-blocking operations have a single round.
    const CollectiveAlgorithm algorithm =
        slot == kBlocking ? trace_.options.collectives : CollectiveAlgorithm::linear;
    make_schedule(collective.exchange, collective.member, algorithm, schedule_);
    if (slot != kBlocking) {
        post_all(collective, schedule_, open(slot));
        return ExportOutcome::expanded;
    }
    for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
        waits_.clear();
        post_all(collective, round, waits_);
        wait_for(waits_);
    });
    return ExportOutcome::expanded;
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

/// Readers expect at least four digits.
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
