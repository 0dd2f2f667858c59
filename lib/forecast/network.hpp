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
    i64 latency = 0;               ///< L: from sender to receiver
    i64 overhead = 0;              ///< o: processor time per message sent or received
    i64 gap = 0;                   ///< g: between messages of an adapter
    double per_byte = 0;           ///< G: adapter time per byte after the first
    double overhead_per_byte = 0;  ///< O: processor time per byte after the first

    bool operator==(const LinkParameters&) const = default;
};

enum class LinkClass : u8 { within_node, between_nodes };
inline constexpr std::size_t kLinkClasses = 2;

struct Network {
    static constexpr u64 kNever = ~u64{0};

    std::string name;
    std::string source;  ///< origin of the numbers
    std::array<LinkParameters, kLinkClasses> links;
    bool has_node_links = false;  ///< links within nodes differ from those between nodes
    /// S, in bytes: larger messages wait for their receive (rendezvous).
    u64 rendezvous = kNever;
    /// Parameters that cannot be told from the trace, and are taken as 0.
    struct Unknown {
        bool latency = false;
        bool overhead = false;
        bool gap = false;
        bool per_byte = false;

        bool operator==(const Unknown&) const = default;
        /// Passes the name of each unknown parameter.
        template <class Sink>
        void names(const Sink& sink) const {
            if (latency) sink("latency");
            if (overhead) sink("overhead");
            if (gap) sink("gap");
            if (per_byte) sink("per_byte");
        }
    } unknown;

    [[nodiscard]] const LinkParameters& link(LinkClass which) const {
        return links[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] LinkParameters& link(LinkClass which) {
        return links[static_cast<std::size_t>(which)];
    }
};

/// Parses a network description (docs/reference/prediction.md). `name`: file name, for messages.
/// Throws Error(usage) for missing, unknown, negative or non-numeric values.
Network parse_network(std::string_view json, const std::string& name);

/// Built-in networks: the text of their files, by name.
struct KnownNetwork {
    std::string_view name;
    std::string_view json;
};
std::vector<KnownNetwork> known_networks();

/// Placement of ranks on machine nodes.
struct Placement {
    std::vector<u32> node_of_rank;
    u32 nodes = 0;
    bool is_recorded = false;  ///< else assumed

    /// True if ranks run on different nodes.
    [[nodiscard]] bool has_several_nodes() const { return nodes > 1; }
};

/// Places ranks on nodes. `ranks_per_node` 0: as recorded; if all ranks ran on one node or nodes
/// are unknown, one rank per node.
Placement place_ranks(TraceFile& file, u32 ranks_per_node);

/// The fastest messages of each size, from the begin of the send to the end of the receiving call.
/// Counts only messages whose receiver already waited, and only the last one sent per receiving
/// call.
struct TransferSamples {
    std::map<u64, double> fastest;  ///< seconds by bytes
    u64 count = 0;
    double overhead = 0;  ///< seconds of the shortest call that sends a small message

    void add(u64 bytes, double seconds);
};

struct FittedLink {
    LinkParameters parameters;
    /// The time of the bytes of the largest message is at least a tenth of the whole.
    bool knows_per_byte = false;
    bool knows_overhead = false;  ///< else it is part of the latency
    bool knows_latency = false;   ///< else all time is that of bytes
    double excess = 0;            ///< mean of (fastest message of a size / line) - 1
};

/// Fits the closest line below all samples: latency and two overheads at 0 bytes, time per byte as
/// slope, 0 if it is not known. Precondition: at least one sample.
FittedLink fit_link(const TransferSamples& samples);

/// Estimates the recorded network from its messages; both link classes are equal if only one was
/// used. If no receiver waited: from the fastest barriers and small all-reduces, as rounds of the
/// model's algorithm. Throws Error: unsupported if the file does not keep every time, or has
/// neither; corrupt. Cost: that of check_replay(). Memory: outstanding messages, and sizes.
Network measure_network(TraceFile& file, const Placement& placement);

}  // namespace tracefold
