// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

inline constexpr double kPicosecondsPerSecond = 1e12;

/// One class of links in LogGPS (Ino, Fujimoto, Hagihara, PPoPP 2001), with the O of LogGOPS
/// (Hoefler, Schneider, Lumsdaine, HPDC 2010). Times in picoseconds.
struct LinkParameters {
    i64 latency = 0;               ///< L: from the sender to the receiver
    i64 overhead = 0;              ///< o: of the processor, for each message sent or received
    i64 gap = 0;                   ///< g: between messages of an adapter
    double per_byte = 0;           ///< G: of the adapter, for each byte but the first
    double overhead_per_byte = 0;  ///< O: of the processor, for each byte but the first

    bool operator==(const LinkParameters&) const = default;
};

enum class LinkClass : u8 { within_node, between_nodes };
inline constexpr std::size_t kLinkClasses = 2;

struct Network {
    static constexpr u64 kNever = ~u64{0};

    std::string name;
    std::string source;  ///< where the numbers come from
    std::array<LinkParameters, kLinkClasses> links;
    bool has_node_links = false;  ///< links within a node are not like those between nodes
    /// S: larger messages wait for their receive (rendezvous), in bytes.
    u64 rendezvous = kNever;

    [[nodiscard]] const LinkParameters& link(LinkClass which) const {
        return links[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] LinkParameters& link(LinkClass which) {
        return links[static_cast<std::size_t>(which)];
    }
};

/// Reads the description of a network (docs/predict.md). `name` is that of the file, for messages.
/// Throws Error(usage): what is missing, unknown, negative or no number.
Network parse_network(std::string_view json, const std::string& name);

/// The networks that the suite knows, as the text of their files, by name.
struct KnownNetwork {
    std::string_view name;
    std::string_view json;
};
std::vector<KnownNetwork> known_networks();

}  // namespace tracefold
