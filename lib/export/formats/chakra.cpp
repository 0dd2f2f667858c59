// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/chakra.hpp"

#include "base/atomic_directory.hpp"
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/schedule.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

namespace tracefold {

namespace {

constexpr std::string_view kVersion = "1.0.0";

// Fields of the messages GlobalMetadata, Node and AttributeProto.
constexpr u32 kMetadataVersion = 1;
constexpr u32 kNodeId = 1;
constexpr u32 kNodeName = 2;
constexpr u32 kNodeType = 3;
constexpr u32 kNodeDataDeps = 5;
constexpr u32 kNodeDurationMicros = 7;
constexpr u32 kNodeAttr = 10;
constexpr u32 kAttributeName = 1;
constexpr u32 kInt32Val = 7;
constexpr u32 kInt64Val = 9;
constexpr u32 kBoolVal = 27;
constexpr u32 kStringVal = 29;

// Enumerators of NodeType.
constexpr u32 kComputation = 4;
constexpr u32 kSend = 5;
constexpr u32 kReceive = 6;
constexpr u32 kCollective = 7;

}  // namespace

ChakraFile::ChakraFile(const std::filesystem::path& path) : file_(path) {
    node_.put_text(kMetadataVersion, kVersion);
    write(node_);
}

ChakraFile::NodeId ChakraFile::add_computation(std::string_view name, u64 microseconds,
                                               Dependencies after) {
    begin_node(name, kComputation, after);
    node_.put_number(kNodeDurationMicros, microseconds);
    put_processor();
    return end_node();
}

ChakraFile::NodeId ChakraFile::add_send(std::string_view name, u32 rank, u32 peer, u32 tag,
                                        u64 bytes, Dependencies after) {
    return add_transfer(name, kSend, rank, peer, tag, bytes, after);
}

ChakraFile::NodeId ChakraFile::add_receive(std::string_view name, u32 rank, u32 peer, u32 tag,
                                           u64 bytes, Dependencies after) {
    return add_transfer(name, kReceive, peer, rank, tag, bytes, after);
}

ChakraFile::NodeId ChakraFile::add_collective(std::string_view name, ChakraCollective kind,
                                              u32 group, u64 bytes, Dependencies after) {
    begin_node(name, kCollective, after);
    put_processor();
    put_attribute("comm_type", kInt64Val, static_cast<u64>(kind));
    put_attribute("comm_size", kInt64Val, bytes);
    if (group != 0) put_attribute("pg_name", std::to_string(group));
    return end_node();
}

ChakraFile::NodeId ChakraFile::add_transfer(std::string_view name, u32 type, u32 source,
                                            u32 destination, u32 tag, u64 bytes,
                                            Dependencies after) {
    begin_node(name, type, after);
    put_processor();
    put_attribute("comm_src", kInt32Val, source);
    put_attribute("comm_dst", kInt32Val, destination);
    put_attribute("comm_tag", kInt32Val, tag);
    put_attribute("comm_size", kInt64Val, bytes);
    return end_node();
}

/// A rank is an NPU of ASTRA-sim, whose statistics refuse work of an additional processor.
void ChakraFile::put_processor() { put_attribute("is_cpu_op", kBoolVal, 0); }

void ChakraFile::begin_node(std::string_view name, u32 type, Dependencies after) {
    node_.clear();
    node_.put_number(kNodeId, ++last_);
    node_.put_text(kNodeName, name);
    node_.put_number(kNodeType, type);
    node_.put_numbers(kNodeDataDeps, after);
}

ChakraFile::NodeId ChakraFile::end_node() {
    write(node_);
    return last_;
}

void ChakraFile::put_attribute(std::string_view name, u32 value_field, u64 value) {
    attribute_.clear();
    attribute_.put_text(kAttributeName, name);
    attribute_.put_number(value_field, value);
    node_.put_text(kNodeAttr, attribute_.bytes());
}

void ChakraFile::put_attribute(std::string_view name, std::string_view value) {
    attribute_.clear();
    attribute_.put_text(kAttributeName, name);
    attribute_.put_text(kStringVal, value);
    node_.put_text(kNodeAttr, attribute_.bytes());
}

void ChakraFile::write(const ProtobufMessage& message) {
    delimited_.clear();
    delimited_.put_delimited(message.bytes());
    file_ << delimited_.bytes();
}

namespace {

using Kind = CollectiveKind;
using Node = ChakraCollectiveNode;

u64 sent_by(const Exchange& exchange, u32 member) {
    std::vector<u64> sizes;
    exchange.sends(member, sizes);
    return std::accumulate(sizes.begin(), sizes.end(), u64{0});
}

/// The node types that ASTRA-sim 2 (of 2026) simulates. It passes the recorded time of a BROADCAST,
/// and ends with an error at all other types.
std::optional<Node> simulated(const Exchange& exchange, u32 member) {
    const u64 own = exchange.block(member);
    if (!exchange.has_equal_blocks() || own == 0) return std::nullopt;
    switch (exchange.kind()) {
        case Kind::allreduce:
            return Node{ChakraCollective::all_reduce, own};
        case Kind::allgather:
        case Kind::allgatherv:
            return Node{ChakraCollective::all_gather, own};
        case Kind::alltoall:
            return Node{ChakraCollective::all_to_all, exchange.blocks(0, exchange.size())};
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return Node{ChakraCollective::reduce_scatter, exchange.blocks(0, exchange.size())};
        default:
            return std::nullopt;
    }
}

/// The other node types of the schema, which has neither roots nor differing shares.
std::optional<Node> of_schema(const Exchange& exchange, u32 member) {
    const u64 own = exchange.block(member);
    const u64 all = exchange.blocks(0, exchange.size());
    const bool equal = exchange.has_equal_blocks();
    switch (exchange.kind()) {
        case Kind::barrier:
            return Node{ChakraCollective::barrier, 0};
        case Kind::allreduce:
            return Node{ChakraCollective::all_reduce, own};
        case Kind::allgather:
        case Kind::allgatherv:
            return Node{ChakraCollective::all_gather, own, equal};
        case Kind::alltoall:
            return Node{ChakraCollective::all_to_all, all};
        case Kind::alltoallv:
        case Kind::alltoallw:
            return Node{ChakraCollective::all_to_all, sent_by(exchange, member), false};
        case Kind::reduce_scatter:
            return Node{ChakraCollective::reduce_scatter, all, equal};
        case Kind::reduce_scatter_block:
            return Node{ChakraCollective::reduce_scatter_block, all};
        case Kind::bcast:
            return Node{ChakraCollective::broadcast, own, false};
        case Kind::reduce:
            return Node{ChakraCollective::reduce, own, false};
        case Kind::gather:
        case Kind::gatherv:
            return Node{ChakraCollective::gather, own, false};
        case Kind::scatter:
        case Kind::scatterv:
            return Node{ChakraCollective::scatter, own, false};
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<Node> chakra_collective(const Exchange& exchange, u32 member, bool all_types) {
    if (exchange.is_inter()) return std::nullopt;
    return all_types ? of_schema(exchange, member) : simulated(exchange, member);
}

namespace {

constexpr std::string_view kGroupsFile = "comm_groups.json";

/// The rank lists of collective nodes, numbered from 1 in the order of use. A single communicator
/// of all ranks has no list. With further ones it has: ASTRA-sim (of 2026) counts an operation of a
/// group as one of all ranks on its members alone; one of all ranks without a list then waits
/// forever.
class ChakraGroups {
  public:
    ChakraGroups(const CommunicationSurvey& survey, u32 world_size)
        : world_size_(world_size), numbers_(survey.context_count(), kNone), written_(world_size) {
        lists_world_ = std::ranges::count_if(survey.contexts(), may_be_group) > 1;
    }

    /// The period in which a rank is written.
    class Turn {
      public:
        Turn(ChakraGroups& groups, u32 rank) : groups_(groups), rank_(rank) {}
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn() { groups_.end(rank_); }

      private:
        ChakraGroups& groups_;
        u32 rank_;
    };

    /// 0 for all ranks without a list. Ranks may be written in parallel: one with a new list waits
    /// until all lower ranks are written, or one of them has used the list.
    u32 number(const CommunicationSurvey::Context& context, u32 rank) {
        std::unique_lock lock(mutex_);
        u32& number = numbers_[context.number];
        changed_.wait(lock, [&] { return number != kNone || first_ == rank; });
        if (number != kNone) return number;
        number = 0;
        if (lists_world_ || !is_whole_world(context, world_size_)) {
            groups_.push_back(&context);
            number = static_cast<u32>(groups_.size());
        }
        changed_.notify_all();
        return number;
    }

    [[nodiscard]] u64 count() const { return groups_.size(); }

    /// Returns the bytes written.
    u64 write(const std::filesystem::path& path) const {
        TextFile out(path);
        out << '{';
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            out << (group == 0 ? "\n" : ",\n") << "\"" << group + 1 << "\": [";
            std::string_view separator;
            for (const u32 member : groups_[group]->members) {
                out << separator << member;
                separator = ", ";
            }
            out << ']';
        }
        out << "\n}\n";
        out.commit();
        return out.size();
    }

  private:
    void end(u32 rank) {
        const std::scoped_lock lock(mutex_);
        written_[rank] = true;
        while (first_ < world_size_ && written_[first_]) ++first_;
        changed_.notify_all();
    }

    static bool may_be_group(const CommunicationSurvey::Context& context) {
        return context.members.size() > 1 && context.first_side == context.members.size();
    }

    u32 world_size_;
    bool lists_world_ = false;
    std::vector<u32> numbers_;  ///< by context; kNone: not used yet
    std::vector<const CommunicationSurvey::Context*> groups_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<bool> written_;  ///< by rank
    u32 first_ = 0;              ///< lowest rank not yet written
};

/// Data shared by all ranks.
struct ChakraTrace {
    const CommunicationSurvey& survey;
    const DefinitionIndex& definitions;
    const ExportOptions& options;
    ChakraGroups& groups;
    bool has_threads = false;  ///< several threads of a rank call MPI
};

/// Writes the nodes of one rank. Blocking operations form a chain; others are branches.
class ChakraWriter : public RankSink {
  public:
    ChakraWriter(ChakraFile& out, const ChakraTrace& trace, ExportedPart& part)
        : out_(out), trace_(trace), rank_(part.number), report_(part.report) {}

    /// Readers need a node on every rank.
    void end() {
        if (out_.nodes() == 0) computation(0);
        for (std::size_t i = 0; i < std::size(kNodes); ++i) {
            report_.contain(kNodes[i], counts_[i]);
        }
        report_.count(ExportOutcome::merged, "messages of a rank to itself", to_itself_);
        report_.count(ExportOutcome::approximated, "messages of no bytes", empty_);
    }

    void begin_call(u32 /*location*/, const MpiCall& call) override {
        name_ = name_of(call, trace_.definitions);
    }

    /// The schema counts whole microseconds: the remainder is added to the next computation.
    void compute(u64 between_calls, u64 in_calls) override {
        nanoseconds_ += between_calls + in_calls;
        const u64 microseconds = nanoseconds_ / kNanosecondsPerMicrosecond;
        if (microseconds == 0) return;
        nanoseconds_ %= kNanosecondsPerMicrosecond;
        computation(microseconds);
    }

    void send(const RankMessage& message, RequestSlot slot) override {
        if (message.peer == rank_) ++to_itself_;
        empty_ += message.bytes == 0 && message.peer != rank_ ? 1 : 0;
        keep(transfer(true, message.peer, message.channel, message.bytes), slot);
    }

    void receive(const RankMessage& message, RequestSlot slot) override {
        keep(transfer(false, message.peer, message.channel, message.bytes), slot);
    }

    ExportOutcome collective(const RankCollective& collective, RequestSlot slot) override {
        if (collective.exchange.size() < 2) {
            keep(chain_, slot);
            return ExportOutcome::merged;
        }
        if (takes_nodes()) {
            const auto node = chakra_collective(collective.exchange, collective.member,
                                                trace_.options.collective_nodes);
            if (node) return write(collective, *node, slot);
        }
        expand(collective, slot);
        return ExportOutcome::expanded;
    }

    void wait(std::span<const RequestSlot> slots, bool /*all*/) override {
        dependencies_.clear();
        for (const RequestSlot slot : slots) depend_on(done_[slot]);
        join();
    }

  private:
    enum Node { node_computation, node_wait, node_send, node_receive, node_collective };
    static constexpr std::array<std::string_view, 5> kNodes = {
        "COMP_NODE", "COMP_NODE that waits", "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
    static constexpr ChakraFile::NodeId kNothing = 0;
    static constexpr u64 kNanosecondsPerMicrosecond = 1000;

    /// A rank of ASTRA-sim is in one operation at a time: threads in several, in another order than
    /// on other ranks, would wait forever.
    [[nodiscard]] bool takes_nodes() const {
        return trace_.options.collectives == CollectiveAlgorithm::automatic &&
               (trace_.options.collective_nodes || !trace_.has_threads);
    }

    ChakraFile::Dependencies after_chain() {
        dependencies_.clear();
        depend_on(chain_);
        return dependencies_;
    }
    void depend_on(ChakraFile::NodeId node) {
        if (node != kNothing) dependencies_.push_back(node);
    }

    void computation(u64 microseconds) {
        ++counts_[node_computation];
        chain_ = out_.add_computation("compute", microseconds, after_chain());
    }

    /// The chain continues when it and `dependencies_` are done: at a node that waits for several.
    void join() {
        depend_on(chain_);
        std::ranges::sort(dependencies_);
        dependencies_.erase(std::unique(dependencies_.begin(), dependencies_.end()),
                            dependencies_.end());
        if (dependencies_.size() < 2) {
            if (!dependencies_.empty()) chain_ = dependencies_.front();
            return;
        }
        ++counts_[node_wait];
        chain_ = out_.add_computation("wait", 0, dependencies_);
    }

    /// Messages of a rank to itself need no network, and have arrived when the rank waits.
    ChakraFile::NodeId transfer(bool sends, u32 peer, u32 tag, u64 bytes) {
        if (peer == rank_) return chain_;
        ++counts_[sends ? node_send : node_receive];
        // ASTRA-sim refuses empty messages.
        const u64 size = std::max<u64>(bytes, 1);
        const ChakraFile::Dependencies after = after_chain();
        return sends ? out_.add_send(name_, rank_, peer, tag, size, after)
                     : out_.add_receive(name_, rank_, peer, tag, size, after);
    }

    ExportOutcome write(const RankCollective& collective, const ChakraCollectiveNode& node,
                        RequestSlot slot) {
        ++counts_[node_collective];
        const u32 group = trace_.groups.number(collective.context, rank_);
        keep(out_.add_collective(name_, node.kind, group, node.bytes, after_chain()), slot);
        return node.exact ? ExportOutcome::written : ExportOutcome::approximated;
    }

    /// Writes messages in place of an operation. A non-blocking one is a branch of the chain.
    void expand(const RankCollective& collective, RequestSlot slot) {
        make_schedule(collective.exchange, collective.member, trace_.options.collectives,
                      schedule_);
        const u32 tag = trace_.survey.channel_count() + collective.context.number;
        const ChakraFile::NodeId before = chain_;
        for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
            round_.clear();
            for (const ScheduledMessage& one : round) {
                const u32 peer = collective.context.members[one.peer];
                round_.push_back(transfer(one.sends, peer, tag, one.bytes));
            }
            if (round_.size() == 1) {
                chain_ = round_.front();
                return;
            }
            dependencies_ = round_;
            join();
        });
        const ChakraFile::NodeId last = chain_;
        chain_ = before;
        keep(last, slot);
    }

    void keep(ChakraFile::NodeId node, RequestSlot slot) {
        if (slot == kBlocking) {
            chain_ = node;
            return;
        }
        if (slot >= done_.size()) done_.resize(slot + 1, kNothing);
        done_[slot] = node;
    }

    ChakraFile& out_;
    const ChakraTrace& trace_;
    u32 rank_;
    ExportReport& report_;
    std::string_view name_;  ///< of the MPI function
    ChakraFile::NodeId chain_ = kNothing;
    std::vector<ChakraFile::NodeId> done_;  ///< by slot
    std::vector<ChakraFile::NodeId> dependencies_;
    std::vector<ChakraFile::NodeId> round_;
    std::vector<ScheduledMessage> schedule_;
    std::array<u64, std::size(kNodes)> counts_{};
    u64 nanoseconds_ = 0;  ///< of computation, not yet written
    u64 to_itself_ = 0;
    u64 empty_ = 0;
};

u64 write_text(const std::filesystem::path& path, std::string_view text) {
    TextFile out(path);
    out << text;
    out.commit();
    return out.size();
}

// One chunk: four chunks of an MPI_Allgather below four bytes would be empty.
constexpr std::string_view kSystem = R"({
    "scheduling-policy": "FIFO",
    "endpoint-delay": 1,
    "active-chunks-per-dimension": 1,
    "preferred-dataset-splits": 1,
    "all-reduce-implementation": ["ring"],
    "all-gather-implementation": ["ring"],
    "reduce-scatter-implementation": ["ring"],
    "all-to-all-implementation": ["direct"],
    "collective-optimization": "baseline",
    "local-mem-bw": 100,
    "boost-mode": 0,
    "roofline-enabled": 0,
    "peak-perf": 1
}
)";

constexpr std::string_view kMemory = "{\n    \"memory-type\": \"NO_MEMORY_EXPANSION\"\n}\n";

/// Writes network.yml, system.json and memory.json, a machine for the analytical network of
/// ASTRA-sim, into a folder; returns their bytes.
u64 write_chakra_platform(const std::filesystem::path& folder, u32 ranks) {
    const std::string network =
        "# A switch that never blocks.\ntopology: [ Switch ]\nnpus_count: [ " +
        std::to_string(ranks) + " ]\nbandwidth: [ 12.5 ]  # GB/s\nlatency: [ 1000.0 ]  # ns\n";
    return write_text(folder / "network.yml", network) +
           write_text(folder / "system.json", kSystem) +
           write_text(folder / "memory.json", kMemory);
}

bool is_chakra_file(const std::string& name) {
    static const std::regex names(
        R"(rank\.\d+\.et|comm_groups\.json|network\.yml|system\.json|memory\.json)");
    return std::regex_match(name, names);
}

}  // namespace

ExportReport write_chakra(TraceFile& file, const std::string& output,
                          const ExportOptions& options) {
    require_ranks(file, "a Chakra trace");
    AtomicDirectory folder(output, options.force, {std::string(kGroupsFile), is_chakra_file});
    const std::filesystem::path path = folder.path();
    const CommunicationSurvey survey(file, options.threads, options.sizes);
    ExportTeam team(file, options);
    ChakraGroups groups(survey, team.ranks());
    const ChakraTrace trace{survey, file.definitions(), options, groups,
                            calls_mpi_from_threads(file)};
    team.run(team.ranks(), [&](ExportedPart& part) {
        const ChakraGroups::Turn turn(groups, part.number);
        ChakraFile out(path / ("rank." + std::to_string(part.number) + ".et"));
        ChakraWriter writer(out, trace, part);
        part.walk(survey, writer);
        writer.end();
        out.commit();
        part.report.bytes += out.size();
    });
    u64 bytes = groups.write(path / kGroupsFile);
    team.report().contain("groups of ranks", groups.count());
    if (options.platform_template) bytes += write_chakra_platform(path, team.ranks());
    folder.commit();
    return team.finish(bytes);
}

}  // namespace tracefold
