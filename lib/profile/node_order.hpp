// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"

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

}  // namespace tracefold
