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

/// Node order for distributing a call tree: each process gets a contiguous part of equal length (+-
/// 1). These are the four enumerations of the MPI-parallel Cube library.
enum class NodeOrder : u8 {
    breadth_first,  ///< level by level
    round_robin,    ///< adjacent nodes of the depth-first order go to different processes
    random,         ///< shuffled, reproducible
    deepest_chain,  ///< the longest downward path, then the longest in the remainder, ...
};

/// "breadth-first"
std::string_view order_name(NodeOrder order);

/// The owner process of each node. Precondition: the tree is numbered depth first. Every process
/// computes the same result. Cost: linear (random: a shuffle; deepest chain: a sort).
std::vector<u32> node_owners(const CallTree& tree, NodeOrder order, u32 processes);

/// Exclusive values of one location; each node occurs once.
using LocationSink = std::function<void(u32 location, std::span<const NodeValues> values)>;

/// Input of a profile. Nodes of the tree are numbered depth first.
struct ProfileInput {
    CallTree tree;
    u32 locations = 0;
    LocationKinds kinds = {};  ///< by location; empty: all of one kind
    /// Passes the values of this process's locations; each location belongs to one process.
    std::function<void(const LocationSink&)> produce;
};

struct ProfileOptions {
    NodeOrder order = NodeOrder::round_robin;
    /// If set, nodes up to group_depth have sums by group.
    std::optional<LocationGroups> groups;
    u32 group_depth = kNone;
    /// Receives the exclusive values of every node by location on process 0, depth first. Must be
    /// set on all processes, called on process 0 only. Rows of zeros are empty.
    using Rows = std::array<std::span<const u64>, kStoredMetrics>;
    std::function<void(u32 node, const Rows& rows)> rows;
};

/// Resources of one process for computing a profile.
struct ProfileCost {
    u64 nodes = 0;            ///< owned nodes
    u64 row_bytes = 0;        ///< peak size of values
    u64 remote_children = 0;  ///< children whose values came from other processes

    bool operator==(const ProfileCost&) const = default;
};

/// Inclusive and exclusive values of every call path.
struct CallProfile {
    CallTree tree;
    u32 locations = 0;
    std::vector<NodeSummary> nodes;
    std::vector<ProfileCost> costs;  ///< by process

    /// Over all locations of the kinds that the node occurs on, including zeros.
    [[nodiscard]] Moments moments(u32 node, ProfileMetric metric, bool inclusive) const;
};

/// Computes a profile in parallel. Each process owns some nodes of the tree and stores only their
/// values. Processes send the values of their locations to the owners; each owner sums its nodes
/// bottom-up while it receives the sums of remote children. The result is independent of the number
/// of processes and the order; `nodes` are complete on process 0 only. Collective; an error of
/// `produce` or `rows` on one process is thrown on all. Memory: the tree and the rows of the owned
/// nodes; on process 0 a summary per node.
CallProfile compute_call_profile(Communicator& comm, ProfileInput input,
                                 const ProfileOptions& options);

}  // namespace tracefold
