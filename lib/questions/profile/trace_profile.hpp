// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/region_nesting.hpp"
#include "file/sample_origins.hpp"
#include "file/trace_file.hpp"
#include "questions/profile/detail/call_profile.hpp"
#include "questions/profile/metric_profile.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Grouping of locations in a profile (system dimension).
enum class ProfileGroups : u8 {
    none,      ///< only the total
    node,      ///< by machine node
    rank,      ///< by MPI rank
    location,  ///< each location
};

struct ProfileRequest {
    std::vector<bool> selected;  ///< locations
    bool times = true;           ///< times that the file keeps
    NodeOrder order = NodeOrder::round_robin;
    ProfileGroups by = ProfileGroups::none;
    u32 group_depth = kNone;  ///< maximum depth of nodes with values by group
    std::string cubex;        ///< Cube file to write; empty: none
    bool force = false;       ///< overwrite it
};

/// A metric of a node in display units: seconds for time, else its own unit.
struct MetricFigures {
    double sum = 0;
    double min = 0;
    double max = 0;
    double mean = 0;
    double deviation = 0;
};

/// A metric beyond ProfileMetric: of a Cube profile, or derived.
struct ProfileColumn {
    struct Side {
        MetricFigures figures = {};  ///< `sum` is the value of all locations together
        std::vector<double> groups = {};
    };
    std::string name;
    std::string unit;  ///< as Cube has it: "sec", "bytes", "occ", ...
    /// By node, inclusive and exclusive; nodes without are zero.
    std::map<u32, std::array<Side, 2>> nodes = {};
};

/// A profile with names and groups for display.
struct TraceProfile {
    CallProfile profile;
    std::vector<std::string> names;   ///< by node: "main", "MPI_Send"
    std::vector<bool> is_mpi;         ///< by node
    std::vector<std::string> groups;  ///< group names
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
    /// By member, location and node; exclusive. Includes metric-only locations.
    std::vector<MetricEntry> metric_entries;
    std::vector<ProfileColumn> columns;

    /// As path_of(), from `names`.
    [[nodiscard]] std::string path(u32 node) const;
    /// Numbers of the metrics of a node that are not zero everywhere: those of ProfileMetric, then
    /// of columns.
    [[nodiscard]] std::vector<u32> metrics(u32 node) const;
    /// Null: one of ProfileMetric.
    [[nodiscard]] const ProfileColumn* column(u32 metric) const {
        return metric < kProfileMetrics ? nullptr : &columns[metric - kProfileMetrics];
    }
    [[nodiscard]] std::string_view name_of(u32 metric) const;
    /// The number of a metric, if the profile can have it.
    [[nodiscard]] std::optional<u32> find_metric(std::string_view name) const;
};

/// Profiles the selected locations of a file that every process has opened. Each process counts its
/// block of locations; see compute_call_profile() for the rest. With times, unwinds all locations;
/// without, only those whose folded form does not suffice (FoldedProfiler). Locations are numbered
/// in order of selection. Times are those of the file, possibly means; a file without times has no
/// time metric. Metric-only locations contribute only metrics. Collective; throws the same Error on
/// all processes: corrupt; io or usage of the output file. Complete on process 0 only. Memory: that
/// of compute_call_profile(), plus the exclusive values of the block.
TraceProfile trace_profile(Communicator& comm, TraceFile& file, const ProfileRequest& request);

/// Display name of a node; a program without its directory.
std::string call_name(const DefinitionIndex& definitions, const CallTree::Node& node);
/// Names from the root down: "program/main/MPI_Send"; of more than 1000 only the innermost ones:
/// "[1480 more]/f/g". Empty for kNone, outside of all regions.
std::string path_of(const DefinitionIndex& definitions, const CallTree& tree, u32 node);

}  // namespace tracefold
