// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <array>
#include <map>
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

/// Reads the description of a network (docs/reference/prediction.md). `name` is that of the file,
/// for messages. Throws Error(usage): what is missing, unknown, negative or no number.
Network parse_network(std::string_view json, const std::string& name);

/// The networks that the suite knows, as the text of their files, by name.
struct KnownNetwork {
    std::string_view name;
    std::string_view json;
};
std::vector<KnownNetwork> known_networks();

/// On which node of a machine the ranks run.
struct Placement {
    std::vector<u32> node_of_rank;
    u32 nodes = 0;
    bool is_recorded = false;  ///< else made up

    /// True if ranks on different nodes exist.
    [[nodiscard]] bool has_several_nodes() const { return nodes > 1; }
};

/// `ranks_per_node` 0: as recorded, but where all ranks ran on one node, or the trace does not
/// tell, each on a node of its own.
Placement place_ranks(TraceFile& file, u32 ranks_per_node);

/// The fastest messages of each size, from the beginning of the send to the end of the call that
/// received it. Only those count whose receiver waited before they were sent; of several in a call,
/// the one that was sent last.
struct TransferSamples {
    std::map<u64, double> fastest;  ///< seconds, by bytes
    u64 count = 0;
    double overhead = 0;  ///< seconds of the shortest call that sends a small message

    void add(u64 bytes, double seconds);
};

/// The line below all samples that is nearest to them: latency and two overheads at 0 bytes, and
/// the time per byte as its slope, which is 0 if all messages have one size. Precondition: there
/// are samples.
LinkParameters fit_link(const TransferSamples& samples);

/// The network that the trace was recorded on, as far as its messages show it; both classes of
/// links are alike where only one was used. Throws Error: unsupported if the file does not keep the
/// time of every record, or no message tells; corrupt. Cost: that of check_replay(). Memory: what
/// is outstanding, and the sizes of messages.
Network measure_network(TraceFile& file, const Placement& placement);

}  // namespace tracefold
