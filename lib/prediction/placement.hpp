// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

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

}  // namespace tracefold
