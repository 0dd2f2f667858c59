// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/network.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

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
        if (json.is_discarded()) refuse("it is no JSON");
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
        if (!json.is_object()) refuse(what + " is no object");
        for (const auto& [name, value] : json.items()) {
            if (std::ranges::find(names, name) != names.end()) continue;
            refuse(what + " has a member \"" + name + "\", which means nothing");
        }
    }

    [[nodiscard]] std::string string_of(const Json& json, const char* member) const {
        if (!json.contains(member) || !json[member].is_string()) {
            refuse(std::string("its \"") + member + "\" is no text");
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
                   "\" is no number of seconds from 0 to 1");
        }
        return seconds * kPicosecondsPerSecond;
    }

    [[nodiscard]] u64 rendezvous(const Json& json) const {
        if (!json.contains("rendezvous") || json["rendezvous"].is_null()) return Network::kNever;
        if (!json["rendezvous"].is_number_unsigned()) {
            refuse("its \"rendezvous\" is no number of bytes");
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

}  // namespace tracefold
