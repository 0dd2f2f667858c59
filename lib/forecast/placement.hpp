// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Placement of ranks on the cores of machine nodes.
struct Placement {
    std::vector<u32> node_of_rank;
    std::vector<u32> core_of_rank;  ///< number within its node, from 0
    std::vector<u32> node_sizes;    ///< ranks by node
    bool is_recorded = false;       ///< else assumed

    [[nodiscard]] u32 nodes() const { return static_cast<u32>(node_sizes.size()); }

    /// The ranks by core, node after node.
    [[nodiscard]] std::vector<u32> order() const;
    /// Places the ranks in this order on the cores, node after node. Precondition: each rank once.
    void assign(std::span<const u32> order);
    /// Places each rank on the node after that of the rank before it, while nodes have cores left.
    void deal();
};

/// Places ranks on nodes. `ranks_per_node` 0: as recorded; if all ranks ran on one node or nodes
/// are unknown, one rank per node. Nodes are numbered in the order of their definitions, cores in
/// the order of the ranks.
Placement place_ranks(TraceFile& file, u32 ranks_per_node);

/// An order of ranks as text: numbers and ranges, separated by commas, with comments from '#' on;
/// the format of MPICH_RANK_ORDER files of Cray MPICH.
std::string rank_order_text(std::span<const u32> order);
/// Throws Error(usage), with the name, unless the text lists each of the ranks once.
std::vector<u32> parse_rank_order(std::string_view text, u32 ranks, const std::string& name);

}  // namespace tracefold
