// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"
#include "forecast/placement.hpp"

#include <map>
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

/// A level of a machine. Two ranks communicate by the links of the innermost level of which they
/// are in the same unit: a socket, a node, a switch, a group.
struct NetworkLevel {
    std::string name;
    LinkParameters link;
    u32 cores = 0;  ///< consecutive ones of a node that are a unit; 0: not within a node
    u32 nodes = 0;  ///< consecutive ones that are a unit; 0: not a group of nodes

    bool operator==(const NetworkLevel&) const = default;
};

struct Network {
    static constexpr u64 kNever = ~u64{0};

    std::string name;
    std::string source;  ///< origin of the numbers
    /// Innermost first: those within a node, the node, those of several nodes, and the system,
    /// which holds all nodes.
    std::vector<NetworkLevel> levels = {{"node", {}}, {"system", {}}};
    u32 node_level = 0;  ///< index of the node
    /// Between nodes, the ranks of a node share so many adapters; 0: each rank has its own one.
    u32 adapters_per_node = 0;
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

    /// Links between ranks of a node, and between nodes of the innermost level of several nodes.
    [[nodiscard]] NetworkLevel& within_node() { return levels[node_level]; }
    [[nodiscard]] NetworkLevel& between_nodes() { return levels[node_level + 1]; }
};

/// Levels of pairs of ranks on a network. Memory: ranks x levels.
class RankLevels {
  public:
    RankLevels() = default;
    RankLevels(const Network& network, const Placement& placement);

    /// The innermost level with a unit that holds both ranks.
    [[nodiscard]] u32 between(u32 rank, u32 peer) const {
        for (u32 level = 0; level < bounded_; ++level) {
            if (unit(rank, level) == unit(peer, level)) return level;
        }
        return bounded_;
    }
    /// The outermost level of any two ranks.
    [[nodiscard]] u32 outermost() const;
    [[nodiscard]] u32 levels() const { return bounded_ + 1; }
    /// Whether some unit holds several ranks, but not all of them.
    [[nodiscard]] bool depend_on_order() const;

    /// Number of the adapter that the rank shares with others of its node for messages of a level;
    /// kNone: it uses its own one.
    [[nodiscard]] u32 shared_adapter(u32 rank, u32 level) const {
        return level > node_level_ && !adapters_.empty() ? adapters_[rank] : kNone;
    }
    /// Number of shared adapters.
    [[nodiscard]] u32 shared_adapters() const { return shared_; }

  private:
    [[nodiscard]] u32 unit(u32 rank, u32 level) const {
        return units_[std::size_t{rank} * bounded_ + level];
    }

    u32 bounded_ = 0;  ///< levels with several units: all but the last
    u32 node_level_ = 0;
    std::vector<u32> units_;     ///< by rank and level
    std::vector<u32> adapters_;  ///< by rank; empty: not shared
    u32 shared_ = 0;
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

/// Estimates the recorded network from its messages; links within and between nodes are equal if
/// only one kind was used. If no receiver waited: from the fastest barriers and small all-reduces,
/// as rounds of the model's algorithm. Throws Error: unsupported if the file does not keep every
/// time, or has neither; corrupt. Cost: that of check_replay(). Memory: outstanding messages, and
/// sizes.
Network measure_network(TraceFile& file, const Placement& placement);

}  // namespace tracefold
