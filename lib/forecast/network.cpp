// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/network.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"
#include "mpi/exchange.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/schedule.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <unordered_map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace tracefold {

extern const std::string_view kEthernetNetwork;
extern const std::string_view kInfinibandNetwork;
extern const std::string_view kSlingshotNetwork;

namespace {

using Json = nlohmann::json;

constexpr double kMostSeconds = 1;
constexpr std::size_t kMostLevels = 8;
constexpr u32 kMostUnits = 1U << 24U;

class NetworkReader {
  public:
    explicit NetworkReader(const std::string& file) : file_(file) {}

    Network read(std::string_view text) {
        const Json json = Json::parse(text, nullptr, false);
        if (json.is_discarded()) refuse("it is not JSON");
        expect_members(json, "the network",
                       {"name", "source", "rendezvous", "between_nodes", "within_node", "levels",
                        "adapters_per_node"});
        Network network;
        network.name = string_of(json, "name");
        network.source = json.contains("source") ? string_of(json, "source") : "";
        if (json.contains("levels")) {
            read_levels(json, network);
        } else {
            if (!json.contains("between_nodes")) refuse("it has no \"between_nodes\"");
            network.between_nodes().link = link(json["between_nodes"], "between_nodes");
            network.within_node().link = json.contains("within_node")
                                             ? link(json["within_node"], "within_node")
                                             : network.between_nodes().link;
        }
        if (json.contains("adapters_per_node"))
            network.adapters_per_node = number(json, "the network", "adapters_per_node");
        network.rendezvous = rendezvous(json);
        return network;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(ErrorKind::unsupported, "{} does not describe a network: {}", file_, why);
    }

    void expect_members(const Json& json, const std::string& what,
                        const std::vector<std::string_view>& names) const {
        if (!json.is_object()) refuse(what + " is not an object");
        for (const auto& [name, value] : json.items()) {
            if (std::ranges::find(names, name) != names.end()) continue;
            refuse(what + " has a member \"" + name + "\", which is unknown");
        }
    }

    [[nodiscard]] std::string string_of(const Json& json, const char* member) const {
        if (!json.contains(member) || !json[member].is_string()) {
            refuse(std::string("its \"") + member + "\" is not a string");
        }
        return json[member].get<std::string>();
    }

    /// Units of a level hold whole units of the level below it.
    void read_levels(const Json& json, Network& network) const {
        if (json.contains("between_nodes") || json.contains("within_node"))
            refuse("its \"levels\" replace \"between_nodes\" and \"within_node\"");
        if (!json["levels"].is_array() || json["levels"].size() < 2 ||
            json["levels"].size() > kMostLevels)
            refuse(fmt::format("its \"levels\" are not a list of 2 to {}", kMostLevels));
        network.levels.clear();
        std::optional<u32> node;
        for (const Json& one : json["levels"]) {
            const std::string what = fmt::format("level {}", network.levels.size() + 1);
            NetworkLevel level;
            level.link = link(one, what, {"name", "cores", "nodes"});
            level.name = string_of(one, "name");
            const bool is_last = network.levels.size() + 1 == json["levels"].size();
            if (one.contains("cores")) level.cores = number(one, what, "cores");
            if (one.contains("nodes")) level.nodes = number(one, what, "nodes");
            if (level.cores != 0 && (node || level.nodes != 0))
                refuse(what + " has \"cores\", but is not within a node");
            if (level.nodes != 0 && (!node || is_last))
                refuse(what + " has \"nodes\", but is not between the node and the last level");
            if (level.cores == 0 && level.nodes == 0 && !is_last) {
                if (node) refuse(what + " has neither \"cores\" nor \"nodes\"");
                node = static_cast<u32>(network.levels.size());
            }
            if (!network.levels.empty() && (!holds(level.cores, network.levels.back().cores) ||
                                            !holds(level.nodes, network.levels.back().nodes)))
                refuse(what + " does not hold whole units of the level before it");
            network.levels.push_back(std::move(level));
        }
        if (!node) refuse("no level is the node, which has neither \"cores\" nor \"nodes\"");
        network.node_level = *node;
    }

    static bool holds(u32 size, u32 smaller) {
        return size == 0 || smaller == 0 || (size > smaller && size % smaller == 0);
    }

    [[nodiscard]] u32 number(const Json& json, const std::string& what, const char* member) const {
        const Json& value = json[member];
        if (!value.is_number_unsigned() || value.get<u64>() == 0 || value.get<u64>() > kMostUnits)
            refuse(
                fmt::format("\"{}\" of {} is not a number from 1 to {}", member, what, kMostUnits));
        return value.get<u32>();
    }

    [[nodiscard]] LinkParameters link(const Json& json, const std::string& what,
                                      std::initializer_list<std::string_view> others = {}) const {
        std::vector<std::string_view> members = {"latency", "overhead", "gap", "per_byte",
                                                 "overhead_per_byte"};
        members.insert(members.end(), others);
        expect_members(json, '"' + what + '"', members);
        LinkParameters link;
        link.latency = whole(time(json, what, "latency", true));
        link.overhead = whole(time(json, what, "overhead", true));
        link.gap = whole(time(json, what, "gap", false));
        link.per_byte = time(json, what, "per_byte", true);
        link.overhead_per_byte = time(json, what, "overhead_per_byte", false);
        return link;
    }

    static i64 whole(double picoseconds) { return std::llround(picoseconds); }

    /// Picoseconds.
    [[nodiscard]] double time(const Json& json, const std::string& what, const char* member,
                              bool is_needed) const {
        if (!json.contains(member)) {
            if (is_needed) refuse('"' + what + "\" has no \"" + member + "\" (seconds)");
            return 0;
        }
        const Json& value = json[member];
        const double seconds = value.is_number() ? value.get<double>() : -1;
        if (!(seconds >= 0) || seconds > kMostSeconds) {
            refuse(std::string("\"") + member + "\" of \"" + what +
                   "\" is not a time from 0 to 1 s");
        }
        return seconds * kPicosecondsPerSecond;
    }

    [[nodiscard]] u64 rendezvous(const Json& json) const {
        if (!json.contains("rendezvous") || json["rendezvous"].is_null()) return Network::kNever;
        if (!json["rendezvous"].is_number_unsigned()) {
            refuse("its \"rendezvous\" is not a number of bytes");
        }
        return json["rendezvous"].get<u64>();
    }

    const std::string& file_;
};

}  // namespace

RankLevels::RankLevels(const Network& network, const Placement& placement)
    : bounded_(static_cast<u32>(network.levels.size()) - 1), node_level_(network.node_level) {
    const u32 most = placement.node_sizes.empty() ? 0 : std::ranges::max(placement.node_sizes);
    for (std::size_t rank = 0; rank < placement.node_of_rank.size(); ++rank) {
        const u32 node = placement.node_of_rank[rank];
        const u32 core = placement.core_of_rank[rank];
        for (u32 number = 0; number < bounded_; ++number) {
            const NetworkLevel& level = network.levels[number];
            u32 unit = node;
            if (level.nodes != 0) unit = node / level.nodes;
            // Sockets of one node have numbers of their own.
            if (level.cores != 0) unit = node * most + core / level.cores;
            units_.push_back(unit);
        }
        const u32 adapters = network.adapters_per_node;
        if (adapters == 0 || most <= adapters) continue;
        adapters_.push_back(node * adapters +
                            static_cast<u32>(u64{core} * adapters / placement.node_sizes[node]));
    }
    if (!adapters_.empty()) shared_ = placement.nodes() * network.adapters_per_node;
}

u32 RankLevels::outermost() const {
    u32 level = bounded_;
    const u32 ranks = bounded_ == 0 ? 0 : static_cast<u32>(units_.size() / bounded_);
    const auto is_one = [&](u32 inner) {
        for (u32 rank = 1; rank < ranks; ++rank) {
            if (unit(rank, inner) != unit(0, inner)) return false;
        }
        return true;
    };
    while (level != 0 && is_one(level - 1)) --level;
    return level;
}

bool RankLevels::depend_on_order() const {
    const u32 ranks = bounded_ == 0 ? 0 : static_cast<u32>(units_.size() / bounded_);
    for (u32 level = 0; level < bounded_; ++level) {
        std::vector<bool> seen;
        bool holds_several = false;
        bool holds_all = true;
        for (u32 rank = 0; rank < ranks; ++rank) {
            const u32 own = unit(rank, level);
            if (own >= seen.size()) seen.resize(own + std::size_t{1});
            holds_several = holds_several || seen[own];
            holds_all = holds_all && own == unit(0, level);
            seen[own] = true;
        }
        if (holds_several && !holds_all) return true;
    }
    return false;
}

Network parse_network(std::string_view json, const std::string& name) {
    return NetworkReader(name).read(json);
}

std::vector<KnownNetwork> known_networks() {
    return {{"ethernet", kEthernetNetwork},
            {"infiniband", kInfinibandNetwork},
            {"slingshot", kSlingshotNetwork}};
}

namespace {

constexpr u64 kSmallMessage = 1024;
/// Of one size, they tell a bandwidth but no latency.
constexpr u64 kLargeMessage = 65536;
/// The least share of the bytes in the time of the largest message that tells a bandwidth, and of
/// the rest in that of the smallest one that tells a latency.
constexpr double kLeastShare = 0.1;

struct SmallCollective {
    CollectiveKind kind{};
    u64 members = 0;
    u64 sent = 0;  ///< by a member, as recorded
    bool within_node = false;

    auto operator<=>(const SmallCollective&) const = default;
};
struct FastestOperation {
    double seconds = 0;
    u64 count = 0;
};

/// Observes matches of messages and receives.
class TransferObserver final : public MatchingObserver {
  public:
    TransferObserver(TraceFile& file, const Placement& placement)
        : clock_(common_clock(file)),
          seconds_per_tick_(file.definitions().tick_rate().seconds_per_tick()),
          placement_(placement) {
        for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
            for (const u32 location : mpi_locations(file, rank)) {
                walkers_.emplace_back().rank = rank;
                walkers_.back().location = location;
            }
        }
        for (TransferSamples& samples : samples_) {
            samples.overhead = std::numeric_limits<double>::infinity();
        }
    }

    void began(u32 number, const MpiCall& call) override {
        Walker& walker = walkers_[number];
        walker.call = call.index;
        walker.blocks = call.family == CallFamily::collective;
        walker.begin = clock_.since_start(walker.location, call.begin);
        walker.end = std::max(walker.begin, clock_.since_start(walker.location, call.end));
        walker.last.reset();
        for (u32 i = 0; i < call.actions.size(); ++i) {
            const Action& action = call.actions[i];
            if (action.kind != Action::Kind::send) continue;
            sent_[{number, call.index, i}] = {walker.begin, action.envelope.bytes, walker.rank};
            const bool is_plain =
                call.family == CallFamily::post_send || call.family == CallFamily::send;
            if (is_plain && action.envelope.bytes <= kSmallMessage) note_overhead(walker);
        }
    }

    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override {
        if (context.is_of_window() || context.is_inter() || !instance.alike) return;
        if (instance.present.size() < 2 || !is_small(instance)) return;
        const u64 number = joined_++;
        Joined& joined = open_[number];
        joined.left = instance.present.size();
        joined.kind = {instance.part.kind, instance.present.size(), instance.present.front().sent,
                       is_within_node(instance)};
        for (const CollectiveInstances::Arrival& arrival : instance.present) {
            Walker& walker = walkers_[arrival.place.walker];
            joined.begin = std::max(joined.begin, walker.begin);
            walker.joined = number;
        }
    }

    void matched(CallPlace sender, CallPlace receiver) override {
        if (const std::optional<Sent> sent = sent_.take(sender)) matched_[receiver] = *sent;
    }

    void completed(CallPlace receiver, CallPlace completion) override {
        const std::optional<Sent> sent = matched_.take(receiver);
        if (!sent) return;
        std::optional<Sent>& last = walkers_[completion.walker].last;
        if (!last || last->begin <= sent->begin) last = sent;
    }

    /// The message sent last determined the end of the call.
    void ended(u32 number, const MpiCall& /*call*/) override {
        Walker& walker = walkers_[number];
        if (walker.joined) leave(walker);
        if (!walker.last || walker.begin > walker.last->begin) return;
        if (walker.end <= walker.last->begin) return;
        samples_[is_within_node(walker.last->rank, walker.rank)].add(
            walker.last->bytes,
            seconds_per_tick_ * static_cast<double>(walker.end - walker.last->begin));
    }

    [[nodiscard]] TransferSamples& samples(bool within_node) { return samples_[within_node]; }
    /// By kind: the fastest operations, from the last arrival to the last departure.
    [[nodiscard]] const std::map<SmallCollective, FastestOperation>& collectives() const {
        return collectives_;
    }

  private:
    struct Sent {
        u64 begin = 0;
        u64 bytes = 0;
        u32 rank = 0;
    };
    struct Walker {
        u32 rank = 0;
        u32 location = 0;
        u64 begin = 0;  ///< of the current call
        u64 end = 0;
        u64 call = 0;               ///< index of the current call
        bool blocks = false;        ///< it is a blocking collective
        std::optional<Sent> last;   ///< of the received messages
        std::optional<u64> joined;  ///< number of the operation in open_
    };
    struct Joined {
        SmallCollective kind;
        u64 begin = 0;
        u64 end = 0;
        std::size_t left = 0;  ///< members within it
    };

    /// Blocking barriers and all-reduces: nobody leaves before all have come.
    [[nodiscard]] bool is_small(const CollectiveInstances::Instance& instance) const {
        if (instance.part.kind != CollectiveKind::barrier &&
            instance.part.kind != CollectiveKind::allreduce)
            return false;
        return std::ranges::all_of(instance.present, [&](const auto& arrival) {
            const Walker& walker = walkers_[arrival.place.walker];
            return !arrival.inferred && arrival.sent <= kSmallMessage &&
                   walker.call == arrival.place.index && walker.blocks;
        });
    }

    [[nodiscard]] bool is_within_node(u32 rank, u32 peer) const {
        return placement_.is_recorded &&
               placement_.node_of_rank[rank] == placement_.node_of_rank[peer];
    }
    [[nodiscard]] bool is_within_node(const CollectiveInstances::Instance& instance) const {
        return std::ranges::all_of(instance.present, [&](const auto& arrival) {
            return is_within_node(arrival.rank, instance.present.front().rank);
        });
    }

    void leave(Walker& walker) {
        const auto found = open_.find(*walker.joined);
        walker.joined.reset();
        Joined& joined = found->second;
        joined.end = std::max(joined.end, walker.end);
        if (--joined.left != 0) return;
        FastestOperation& fastest = collectives_[joined.kind];
        const double seconds = seconds_per_tick_ *
                               static_cast<double>(joined.end - std::min(joined.begin, joined.end));
        if (fastest.count++ == 0 || seconds < fastest.seconds) fastest.seconds = seconds;
        open_.erase(found);
    }

    void note_overhead(const Walker& walker) {
        const double seconds = seconds_per_tick_ * static_cast<double>(walker.end - walker.begin);
        for (TransferSamples& samples : samples_) {
            samples.overhead = std::min(samples.overhead, seconds);
        }
    }

    CommonClock clock_;
    double seconds_per_tick_;
    const Placement& placement_;
    std::vector<Walker> walkers_;
    ByPlace<Sent> sent_;
    ByPlace<Sent> matched_;                   ///< by the place that posts the receive
    std::array<TransferSamples, 2> samples_;  ///< between nodes, within nodes
    std::unordered_map<u64, Joined> open_;    ///< by number
    u64 joined_ = 0;
    std::map<SmallCollective, FastestOperation> collectives_;
};

struct Line {
    double offset = 0;
    double slope = 0;
};

/// Sum of the relative distances of the points above a line.
double distance(const std::map<u64, double>& points, const Line& line) {
    double sum = 0;
    for (const auto& [bytes, seconds] : points) {
        sum += (seconds - line.offset - line.slope * static_cast<double>(bytes)) / seconds;
    }
    return sum;
}

/// The corners of the points' lower convex hull.
std::vector<std::pair<double, double>> lower_hull(const std::map<u64, double>& points) {
    std::vector<std::pair<double, double>> hull;
    for (const auto& [bytes, seconds] : points) {
        const std::pair<double, double> next(static_cast<double>(bytes), seconds);
        while (hull.size() >= 2) {
            const auto& a = hull[hull.size() - 2];
            const auto& b = hull.back();
            const double turn = (b.first - a.first) * (next.second - a.second) -
                                (b.second - a.second) * (next.first - a.first);
            if (turn > 0) break;
            hull.pop_back();
        }
        hull.push_back(next);
    }
    return hull;
}

Line line_below(const std::map<u64, double>& points) {
    const auto hull = lower_hull(points);
    const auto lowest =
        std::ranges::min_element(points, {}, [](const auto& point) { return point.second; });
    Line best{lowest->second, 0};
    for (std::size_t i = 1; i < hull.size(); ++i) {
        const double slope =
            (hull[i].second - hull[i - 1].second) / (hull[i].first - hull[i - 1].first);
        const Line line{hull[i].second - slope * hull[i].first, slope};
        if (slope < 0 || line.offset < 0) continue;
        if (distance(points, line) < distance(points, best)) best = line;
    }
    return best;
}

}  // namespace

void TransferSamples::add(u64 bytes, double seconds) {
    ++count;
    const auto [found, fresh] = fastest.try_emplace(bytes, seconds);
    if (!fresh) found->second = std::min(found->second, seconds);
}

FittedLink fit_link(const TransferSamples& samples) {
    Line line = line_below(samples.fastest);
    FittedLink fit;
    const double largest = static_cast<double>(samples.fastest.rbegin()->first);
    const double of_bytes = line.slope * largest;
    const auto smallest = static_cast<double>(samples.fastest.begin()->first);
    fit.knows_per_byte = of_bytes >= kLeastShare * (line.offset + of_bytes);
    fit.knows_latency = fit.knows_per_byte
                            ? line.offset >= kLeastShare * (line.offset + line.slope * smallest)
                            : smallest < kLargeMessage;
    if (!fit.knows_latency) {
        fit.knows_per_byte = true;
        line = {0, std::numeric_limits<double>::infinity()};
        for (const auto& [bytes, seconds] : samples.fastest)
            if (bytes != 0) line.slope = std::min(line.slope, seconds / static_cast<double>(bytes));
    } else if (!fit.knows_per_byte) {
        const auto lowest = std::ranges::min_element(
            samples.fastest, {}, [](const auto& point) { return point.second; });
        line = {lowest->second, 0};
    }
    for (const auto& [bytes, seconds] : samples.fastest) {
        const double fitted = line.offset + line.slope * static_cast<double>(bytes);
        if (fitted > 0) fit.excess += seconds / fitted - 1;
    }
    fit.excess /= static_cast<double>(samples.fastest.size());
    // Sender and receiver each have an overhead, and the message takes longer than these.
    fit.knows_overhead = samples.overhead > 0 && 2 * samples.overhead < line.offset;
    const double overhead = fit.knows_overhead ? samples.overhead : 0;
    fit.parameters.overhead = std::llround(overhead * kPicosecondsPerSecond);
    fit.parameters.latency = std::llround((line.offset - 2 * overhead) * kPicosecondsPerSecond);
    fit.parameters.per_byte = line.slope * kPicosecondsPerSecond;
    return fit;
}

namespace {

/// Rounds of messages of the model's algorithm.
u32 rounds_of(const SmallCollective& kind) {
    CollectiveRecords records;
    records.kind = kind.kind;
    records.first_side = static_cast<u32>(kind.members);
    records.sizes.assign(kind.members, {kind.sent, kind.sent});
    std::vector<ScheduledMessage> messages;
    make_schedule(Exchange(records), 0, CollectiveAlgorithm::automatic, messages);
    u32 rounds = 0;
    for (const ScheduledMessage& message : messages) rounds = std::max(rounds, message.round + 1);
    return rounds;
}

/// The latency from collective operations; false if there are none.
bool measure_by_collectives(const TransferObserver& observer, Network& network) {
    std::array<double, 2> round{};  // between and within nodes, in seconds; 0: none
    u64 count = 0;
    for (const auto& [kind, fastest] : observer.collectives()) {
        const u32 rounds = rounds_of(kind);
        if (rounds == 0 || fastest.seconds <= 0) continue;
        double& least = round[kind.within_node];
        const double seconds = fastest.seconds / rounds;
        if (least == 0 || seconds < least) least = seconds;
        count += fastest.count;
    }
    if (count == 0) return false;
    for (std::size_t within = 0; within < 2; ++within) {
        const double seconds = round[within] > 0 ? round[within] : round[1 - within];
        NetworkLevel& level = within == 1 ? network.within_node() : network.between_nodes();
        level.link.latency = std::llround(seconds * kPicosecondsPerSecond);
    }
    network.unknown = {false, true, true, true};
    network.source = fmt::format(
        "inferred from the fastest of {} barriers and all-reduces of at most 1 KiB, as rounds of "
        "the model's algorithm: no receive waited for its message. Overhead and bandwidth cannot "
        "be told from this trace; they cost nothing here",
        count);
    return true;
}

/// "of 12 sizes; the fastest of a size takes 4 % longer than the fit on average"
std::string fit_words(const FittedLink& fit, const TransferSamples& samples) {
    std::string text = fmt::format("of {} {}", samples.fastest.size(),
                                   samples.fastest.size() == 1 ? "size" : "sizes");
    if (samples.fastest.size() > 1)
        text += fmt::format("; the fastest of a size takes {:.0f} % longer than the fit on average",
                            fit.excess * 100);
    return text;
}

}  // namespace

Network measure_network(TraceFile& file, const Placement& placement) {
    require_all_ranks(file, "a prediction");
    const TimingLevel level = file.summary().timing;
    if (level != TimingLevel::exact && level != TimingLevel::quantized) {
        throw Error(ErrorKind::unsupported,
                    "the recorded network can only be inferred from the time of every record, "
                    "which the file does not keep; name a network with --network");
    }
    TransferObserver observer(file, placement);
    check_replay(file, observer, Times::read);
    Network network;
    network.name = "measured";
    std::string words;
    for (const bool within : {false, true}) {
        const TransferSamples& samples = observer.samples(within);
        if (samples.count == 0) continue;
        const FittedLink fit = fit_link(samples);
        (within ? network.within_node() : network.between_nodes()).link = fit.parameters;
        network.unknown.per_byte = network.unknown.per_byte || !fit.knows_per_byte;
        network.unknown.overhead = network.unknown.overhead || !fit.knows_overhead;
        network.unknown.latency = network.unknown.latency || !fit.knows_latency;
        words += fmt::format("{}{} messages {}", words.empty() ? "" : "; within nodes ",
                             samples.count, fit_words(fit, samples));
    }
    if (words.empty()) {
        if (measure_by_collectives(observer, network)) return network;
        throw Error(ErrorKind::unsupported,
                    "the recorded network cannot be inferred: no receive of the trace waited for "
                    "its message, and it has no barriers or small all-reduces; name a network with "
                    "--network");
    }
    network.unknown.gap = true;
    NetworkLevel& between = network.between_nodes();
    NetworkLevel& within = network.within_node();
    if (observer.samples(false).count == 0) between.link = within.link;
    if (observer.samples(true).count == 0) within.link = between.link;
    network.source = "inferred from messages of this trace whose receivers waited: " + words;
    if (network.unknown.per_byte)
        network.source +=
            ". The bandwidth cannot be told from this trace, as its messages are too alike in size "
            "or too small; bytes cost nothing here";
    if (network.unknown.latency)
        network.source +=
            ". The latency cannot be told from this trace, as its messages are large; only bytes "
            "cost time here";
    return network;
}

}  // namespace tracefold
