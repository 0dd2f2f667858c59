// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "questions/profile/call_tree.hpp"
#include "questions/profile/detail/node_rows.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tracefold {

/// In which order the nodes of a call tree are numbered to be shared out among processes: each gets
/// as many nodes in a row as any other, give or take one. (The four enumerations of the
/// MPI-parallel Cube library.)
enum class NodeOrder : u8 {
    breadth_first,  ///< level by level
    round_robin,    ///< neighbours of the depth-first order go to different processes
    random,         ///< shuffled, always alike
    deepest_chain,  ///< the longest path down, then the longest one in what is left, ...
};

/// "breadth-first"
std::string_view order_name(NodeOrder order);

/// The process that owns each node. The tree's nodes are in depth-first order. Every process works
/// it out by itself. Cost: linear (random: a shuffle; deepest chain: a sort).
std::vector<u32> node_owners(const CallTree& tree, NodeOrder order, u32 processes);

/// Exclusive values of one location, each node once.
using LocationSink = std::function<void(u32 location, std::span<const NodeValues> values)>;

/// What a profile is made of. Nodes of the tree are numbered depth first.
struct ProfileInput {
    CallTree tree;
    u32 locations = 0;
    LocationKinds kinds = {};  ///< by location; empty: all are alike
    /// Passes the locations that this process has the values of: every location on one process.
    std::function<void(const LocationSink&)> produce;
};

struct ProfileOptions {
    NodeOrder order = NodeOrder::round_robin;
    /// With them, nodes of at most this depth have their sums by group.
    std::optional<LocationGroups> groups;
    u32 group_depth = kNone;
    /// On process 0: gets the exclusive values of every node by location, depth first. All other
    /// processes have one as well, which is not called. Rows that are all zero are empty.
    using Rows = std::array<std::span<const u64>, kStoredMetrics>;
    std::function<void(u32 node, const Rows& rows)> rows;
};

/// What computing a profile took on one process.
struct ProfileCost {
    u64 nodes = 0;            ///< that it owns
    u64 row_bytes = 0;        ///< of values, at most
    u64 remote_children = 0;  ///< whose values it got from other processes

    bool operator==(const ProfileCost&) const = default;
};

/// Inclusive and exclusive values of every call path.
struct CallProfile {
    CallTree tree;
    u32 locations = 0;
    std::vector<NodeSummary> nodes;
    std::vector<ProfileCost> costs;  ///< by process

    /// Over all locations of the kinds that the node occurs on, those with nothing included.
    [[nodiscard]] Moments moments(u32 node, ProfileMetric metric, bool inclusive) const;
};

/// Works a profile out by all processes: each owns some nodes of the tree and has the values of no
/// others. Those who know a location's values send them to the owners; then every owner adds up its
/// nodes from below, and while it does, receives the sums of children that others own. The result
/// is the same for every number of processes and every order; `nodes` are complete on process 0
/// only. Collective; an error of `produce` or `rows` on one process is thrown on all. Memory: the
/// tree, and on each process the rows of its nodes; on process 0 a summary per node.
CallProfile compute_call_profile(Communicator& comm, ProfileInput input,
                                 const ProfileOptions& options);

}  // namespace tracefold
