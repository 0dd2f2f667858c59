// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "forecast/scaling/growth.hpp"
#include "questions/profile/metric_profile.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// What the calls of one function send or receive in one run: sums over all ranks. A member's part
/// in a collective operation counts as sent.
struct CallTraffic {
    std::string call;  ///< "MPI_Isend"
    bool sends = false;
    u64 transfers = 0;
    u64 bytes = 0;
    u64 partners = 0;  ///< different peers of each rank; 0: none, as of collectives, or not known
};

/// What one call path has in one run, in itself and not in what it calls: sums over all ranks,
/// times in seconds.
using PathTotals = std::array<double, kProfileMetrics>;

/// The call paths of one run.
struct RunProfile {
    struct Path {
        std::string name;  ///< "program/main/MPI_Send"
        PathTotals totals{};
        /// By rank, if asked for; empty: none.
        std::vector<u64> visits = {};
        std::vector<double> seconds = {};
    };

    std::string name;  ///< of the file
    u32 ranks = 0;     ///< or locations, if there are no ranks
    double size = 0;   ///< what numbers are functions of: the ranks, or another parameter
    bool has_times = false;
    std::vector<Path> paths;           ///< in the order of their first calls
    std::vector<CallTraffic> traffic;  ///< if asked for

    /// Of one metric over all paths.
    [[nodiscard]] double total(ProfileMetric metric) const;
};

struct RunProfileRequest {
    bool by_rank = false;  ///< also visits and times of each rank
    bool traffic = false;
    std::string cubex;   ///< file to write in the format of Cube; empty: none
    bool force = false;  ///< overwrite it
};

/// Throws Error: corrupt; io of the file to write. Cost: as trace_profile(); of traffic also as
/// visit_transfers(), and memory grows with the pairs of ranks that exchange something.
RunProfile profile_run(TraceFile& file, const std::string& name,
                       const RunProfileRequest& request = {});

/// The call paths of several runs side by side.
struct AlignedPaths {
    std::vector<std::string> names;  ///< as they come in the first run that has them
    /// By run and path; null where a run lacks one. They refer to the profiles.
    std::vector<std::vector<const PathTotals*>> totals;
};

AlignedPaths align_paths(const std::vector<RunProfile>& runs);

/// The time of one call path in several runs, in itself and not in what it calls: means over the
/// ranks, in seconds.
struct ComparedPath {
    std::string path;
    u32 rank_class = 0;           ///< of the ranks that it is about, if classes are told apart
    std::vector<double> seconds;  ///< by run
    double change = 0;            ///< from the first run to the last one
};

/// Where the time of runs went. The changes of all paths add up to that of the whole.
struct RunComparison {
    std::vector<ComparedPath> paths;  ///< by falling amount of the change
    std::vector<double> seconds;      ///< of all paths, by run
    double change = 0;
    std::vector<std::vector<u64>> class_ranks;  ///< by class and run; empty if all are together
};

/// `by_class`: tells apart the ranks that take another part: those that call each path least often
/// of all ranks of their run, second least often, and so on, are alike, whatever the size of the
/// run. Times are still means over all ranks, so that those of all classes add up. Profiles must
/// have been made by rank for it. Throws Error(usage) if a run has no times.
RunComparison compare_runs(const std::vector<RunProfile>& runs, bool by_class = false);

/// What a number counts.
enum class Unit : u8 { count, seconds, bytes };

/// How a number grows: of one call path, the mean over the ranks of one metric; of what the calls
/// of one function send or receive, the messages and partners of a rank, and the mean size.
struct PathModel {
    std::string path;    ///< or function
    std::string metric;  ///< "time", "visits", "partners_sent_to"
    Unit unit{};
    std::vector<Measurement> measured;  ///< by run that has the path
    Growth growth;

    /// True if the growth gives all measurements, but for rounding.
    [[nodiscard]] bool is_exact() const;
};

/// Models of all metrics that are not zero everywhere, by path, then by function. Runs of the same
/// size are repetitions.
std::vector<PathModel> model_paths(const std::vector<RunProfile>& runs);

/// The file format of Extra-P for measurements, JSON Lines: one line per measurement, of which
/// several at one point are repetitions. Values are means over the ranks, times in seconds.
/// `parameter`: what it is called that sizes are of.
std::string to_extra_p(const std::vector<PathModel>& models, const std::string& parameter);

}  // namespace tracefold
