// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/region_nesting.hpp"
#include "file/sample_origins.hpp"
#include "file/trace_file.hpp"
#include "questions/profile/detail/call_profile.hpp"
#include "questions/profile/metric_profile.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What locations are put together by: the third dimension of a profile, the system.
enum class ProfileGroups : u8 {
    none,      ///< only all together
    node,      ///< those on one node of the machine
    rank,      ///< those of one MPI rank
    location,  ///< each by itself
};

struct ProfileRequest {
    std::vector<bool> selected;  ///< locations
    bool times = true;           ///< those that the file keeps
    NodeOrder order = NodeOrder::round_robin;
    ProfileGroups by = ProfileGroups::none;
    u32 group_depth = kNone;  ///< of nodes that have values by group, at most
    std::string cubex;        ///< file to write in the format of Cube; empty: none
    bool force = false;       ///< overwrite it
};

/// A profile with all that it takes to show it.
struct TraceProfile {
    CallProfile profile;
    std::vector<std::string> names;   ///< by node: "main", "MPI_Send"
    std::vector<bool> is_mpi;         ///< by node
    std::vector<std::string> groups;  ///< what they are called
    bool has_times = false;
    TickRate rate;
    NestingCounts nesting;  ///< of the selected locations, on process 0
    SampleOrigins samples;  ///< the same

    /// Exclusive bytes of a location that need more than 64 bits.
    struct Overflow {
        ProfileMetric metric{};
        u32 location = 0;  ///< by number in the trace
        u32 node = 0;
        std::string label = {};  ///< of the location

        static void each_field(auto& self, auto& visit) {
            visit(self.metric, self.location, self.node);
        }
    };
    std::vector<Overflow> overflows;  ///< on process 0: one per call path, metric and location
    std::vector<MetricMember> metric_members;
    /// By member, location and node; exclusive. Locations that only hold metrics have some too.
    std::vector<MetricEntry> metric_entries;

    /// "program/main/MPI_Send"; of a path that is deeper than 1000 calls the innermost ones.
    [[nodiscard]] std::string path(u32 node) const;
    /// Metrics that the trace has and that are not zero everywhere.
    [[nodiscard]] std::vector<ProfileMetric> metrics(u32 node) const;
};

/// The profile of the selected locations of a file, which every process has opened: each counts the
/// locations of its own block, see compute_call_profile() for the rest. With times they are
/// unwound, without only those whose folded form does not tell all (FoldedProfiler). Locations are
/// numbered as they are selected. Times are those that the file keeps, means where it keeps means,
/// without any there is no metric of time. Locations that only hold metrics are no part of it but
/// for what they hold. Collective; the same Error on all processes: corrupt,
/// and io or usage of the file to write. The values are complete on process 0 only. Memory: besides
/// that of compute_call_profile(), the exclusive values of the locations of the block.
TraceProfile trace_profile(Communicator& comm, TraceFile& file, const ProfileRequest& request);

/// What people call a node; a program without its directory.
std::string call_name(const DefinitionIndex& definitions, const CallTree::Node& node);
/// The names from the root down: "program/main/MPI_Send".
std::string path_of(const DefinitionIndex& definitions, const CallTree& tree, u32 node);

}  // namespace tracefold
