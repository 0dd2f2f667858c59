// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/network.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/system/system_tree.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace tracefold {

extern const std::string_view kEthernetNetwork;
extern const std::string_view kInfinibandNetwork;
extern const std::string_view kSlingshotNetwork;

namespace {

using Json = nlohmann::json;

constexpr double kMostSeconds = 1;

class NetworkReader {
  public:
    explicit NetworkReader(const std::string& file) : file_(file) {}

    Network read(std::string_view text) {
        const Json json = Json::parse(text, nullptr, false);
        if (json.is_discarded()) refuse("it is not JSON");
        expect_members(json, "the network",
                       {"name", "source", "rendezvous", "between_nodes", "within_node"});
        Network network;
        network.name = string_of(json, "name");
        network.source = json.contains("source") ? string_of(json, "source") : "";
        if (!json.contains("between_nodes")) refuse("it has no \"between_nodes\"");
        network.link(LinkClass::between_nodes) = link(json["between_nodes"], "between_nodes");
        network.has_node_links = json.contains("within_node");
        network.link(LinkClass::within_node) = network.has_node_links
                                                   ? link(json["within_node"], "within_node")
                                                   : network.link(LinkClass::between_nodes);
        network.rendezvous = rendezvous(json);
        return network;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(ErrorKind::unsupported, "{} does not describe a network: {}", file_, why);
    }

    void expect_members(const Json& json, const std::string& what,
                        std::initializer_list<std::string_view> names) const {
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

    [[nodiscard]] LinkParameters link(const Json& json, const std::string& what) const {
        expect_members(json, '"' + what + '"',
                       {"latency", "overhead", "gap", "per_byte", "overhead_per_byte"});
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

Network parse_network(std::string_view json, const std::string& name) {
    return NetworkReader(name).read(json);
}

std::vector<KnownNetwork> known_networks() {
    return {{"ethernet", kEthernetNetwork},
            {"infiniband", kInfinibandNetwork},
            {"slingshot", kSlingshotNetwork}};
}

Placement place_ranks(TraceFile& file, u32 ranks_per_node) {
    const u32 ranks = file.definitions().world_size();
    Placement placement;
    if (ranks_per_node == 0) {
        const ParticipantNames names(file.definitions());
        const RankGroups groups = rank_groups(file, names, GroupBy::node);
        placement.is_recorded = groups.size() > 1 && groups.unknown == kNone;
        if (placement.is_recorded) {
            placement.node_of_rank = groups.group_of;
            placement.nodes = static_cast<u32>(groups.size());
            return placement;
        }
        ranks_per_node = 1;
    }
    for (u32 rank = 0; rank < ranks; ++rank) {
        placement.node_of_rank.push_back(rank / ranks_per_node);
    }
    placement.nodes = ranks == 0 ? 0 : placement.node_of_rank.back() + 1;
    return placement;
}

namespace {

constexpr u64 kSmallMessage = 1024;

/// Observes matches of messages and receives.
class TransferObserver final : public MatchingObserver {
  public:
    TransferObserver(TraceFile& file, const Placement& placement)
        : clock_(common_clock(file)),
          seconds_per_tick_(file.definitions().tick_rate().seconds_per_tick()),
          placement_(placement) {
        for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
            for (const u32 location : mpi_locations(file, rank)) {
                walkers_.push_back({rank, location, 0, 0, {}});
            }
        }
        for (TransferSamples& samples : samples_) {
            samples.overhead = std::numeric_limits<double>::infinity();
        }
    }

    void began(u32 number, const MpiCall& call) override {
        Walker& walker = walkers_[number];
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
        const Walker& walker = walkers_[number];
        if (!walker.last || walker.begin > walker.last->begin) return;
        if (walker.end <= walker.last->begin) return;
        samples_[link_between(walker.last->rank, walker.rank)].add(
            walker.last->bytes,
            seconds_per_tick_ * static_cast<double>(walker.end - walker.last->begin));
    }

    [[nodiscard]] TransferSamples& samples(LinkClass link) {
        return samples_[static_cast<std::size_t>(link)];
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
        std::optional<Sent> last;  ///< of the received messages
    };

    [[nodiscard]] std::size_t link_between(u32 rank, u32 peer) const {
        const bool within = placement_.is_recorded &&
                            placement_.node_of_rank[rank] == placement_.node_of_rank[peer];
        return static_cast<std::size_t>(within ? LinkClass::within_node : LinkClass::between_nodes);
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
    ByPlace<Sent> matched_;  ///< by the place that posts the receive
    std::array<TransferSamples, kLinkClasses> samples_;
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

LinkParameters fit_link(const TransferSamples& samples) {
    const Line line = line_below(samples.fastest);
    // Sender and receiver each have an overhead.
    const double overhead = std::min(samples.overhead, line.offset / 2);
    LinkParameters link;
    link.overhead = std::llround(overhead * kPicosecondsPerSecond);
    link.latency = std::llround((line.offset - 2 * overhead) * kPicosecondsPerSecond);
    link.per_byte = line.slope * kPicosecondsPerSecond;
    return link;
}

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
    u64 count = 0;
    for (const LinkClass link : {LinkClass::between_nodes, LinkClass::within_node}) {
        const TransferSamples& samples = observer.samples(link);
        if (samples.count != 0) network.link(link) = fit_link(samples);
        count += samples.count;
    }
    if (count == 0) {
        throw Error(ErrorKind::unsupported,
                    "the recorded network cannot be inferred: no receive of the trace waited for "
                    "its message; name a network with --network");
    }
    const bool has_between = observer.samples(LinkClass::between_nodes).count != 0;
    const bool has_within = observer.samples(LinkClass::within_node).count != 0;
    if (!has_between) network.link(LinkClass::between_nodes) = network.link(LinkClass::within_node);
    if (!has_within) network.link(LinkClass::within_node) = network.link(LinkClass::between_nodes);
    network.has_node_links = has_between && has_within;
    network.source = fmt::format(
        "inferred from the fastest of {} messages of this trace whose receivers waited", count);
    return network;
}

}  // namespace tracefold
