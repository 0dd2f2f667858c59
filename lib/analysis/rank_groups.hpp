// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "names/participant_names.hpp"
#include "trace/trace_file.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What ranks are put together by.
enum class GroupBy : u8 {
    rank,        ///< every rank is a group
    node,        ///< ranks on one node of the machine
    rank_class,  ///< ranks whose first location runs the same script
};

/// The processes of a trace in groups: its ranks, where it has MPI.
struct RankGroups {
    std::vector<u32> group_of;  ///< by process
    std::vector<std::string> labels;
    u32 unknown = kNone;  ///< by node: of ranks that the definitions do not place; kNone: none

    [[nodiscard]] std::size_t size() const { return labels.size(); }
};

/// Groups are numbered by their first process. A node is what is of class "node" in the system
/// tree, else the place that the process hangs on. Cost: one pass over the definitions.
RankGroups rank_groups(TraceFile& file, const ParticipantNames& names, GroupBy by);

}  // namespace tracefold
