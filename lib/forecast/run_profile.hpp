// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "forecast/scaling/growth.hpp"
#include "questions/profile/metric_profile.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Traffic of one function's calls in one run: sums over all ranks. A member's contribution to a
/// collective counts as sent.
struct CallTraffic {
    std::string call;  ///< "MPI_Isend"
    bool sends = false;
    u64 transfers = 0;
    u64 bytes = 0;
    u64 partners = 0;  ///< distinct peers, summed over ranks; 0: none (collectives) or unknown
};

/// Exclusive totals of one call path in one run: sums over all ranks, times in seconds.
using PathTotals = std::array<double, kProfileMetrics>;

/// The call paths of one run.
struct RunProfile {
    struct Path {
        std::string name;  ///< "program/main/MPI_Send"
        PathTotals totals{};
        /// By rank, on request; empty: none.
        std::vector<u64> visits = {};
        std::vector<double> seconds = {};
    };

    std::string name;  ///< file name
    u32 ranks = 0;     ///< or locations without ranks
    double size = 0;   ///< independent variable: ranks, or another parameter
    bool has_times = false;
    std::vector<Path> paths;           ///< in order of first call
    std::vector<CallTraffic> traffic;  ///< on request

    /// Total of a metric over all paths.
    [[nodiscard]] double total(ProfileMetric metric) const;
};

struct RunProfileRequest {
    bool by_rank = false;  ///< include visits and times of each rank
    bool traffic = false;
    std::string cubex;   ///< Cube file to write; empty: none
    bool force = false;  ///< overwrite it
};

/// Profiles a run. Throws Error: corrupt; io of the output file. Cost: trace_profile(); for traffic
/// also visit_transfers(), and memory for communicating pairs of ranks.
RunProfile profile_run(TraceFile& file, const std::string& name,
                       const RunProfileRequest& request = {});

/// Gives the call paths of all runs the root of the first run, if each run has one root: the name
/// of a program is not its identity ("lu.A.4", "lu.A.9", "a.out").
void unify_roots(std::vector<RunProfile>& runs);

/// The call paths of several runs, aligned by name.
struct AlignedPaths {
    std::vector<std::string> names;  ///< in the order of the first run with the path
    /// By run and path; null where a run lacks a path. Refers to the profiles.
    std::vector<std::vector<const PathTotals*>> totals;
};

AlignedPaths align_paths(const std::vector<RunProfile>& runs);

/// Exclusive time of one call path in several runs: means over the ranks, in seconds.
struct ComparedPath {
    std::string path;
    u32 rank_class = 0;           ///< class of its ranks, with by_class
    std::vector<double> seconds;  ///< by run
    double change = 0;            ///< from the first run to the last
};

/// Changes of time between runs. The changes of all paths sum up to the total change.
struct RunComparison {
    std::vector<ComparedPath> paths;  ///< by descending amount of change
    std::vector<double> seconds;      ///< over all paths, by run
    double change = 0;
    std::vector<std::vector<u64>> class_ranks;  ///< by class and run; empty without classes
};

/// Compares runs. `by_class`: separates ranks by role, independent of the run's size: ranks with
/// the same position among the visit counts of every path (fewest, second fewest, ...) form a
/// class. Times remain means over all ranks, so classes sum up. Precondition of `by_class`:
/// profiles made by rank. Throws Error(unsupported) if a run has no times.
RunComparison compare_runs(const std::vector<RunProfile>& runs, bool by_class = false);

enum class Unit : u8 { count, seconds, bytes };

/// Growth of a number: for a call path, a metric's mean over the ranks; for a function's traffic,
/// messages and partners per rank, and the mean size.
struct PathModel {
    std::string path;    ///< or function
    std::string metric;  ///< "time", "visits", "partners_sent_to"
    Unit unit{};
    std::vector<Measurement> measured;  ///< by run that contains the path
    Growth growth;
    /// Of times: relative error of the largest size, predicted from the smaller ones; none of
    /// fewer than three sizes.
    std::optional<double> hold_out_error = {};
    /// Of times: the 90 % interval one size further reaches from the value divided by this factor
    /// to the value times this factor; 0: unknown, with fewer than three sizes.
    double widening = 0;

    /// True if the growth reproduces all measurements up to rounding.
    [[nodiscard]] bool is_exact() const;

    struct Interval {
        double low = 0;
        double high = 0;
    };
    /// The 90 % interval of the time at a size, which widens with the distance from the largest
    /// one; none if it is unknown.
    [[nodiscard]] std::optional<Interval> interval(double size) const;
};

/// Models of all nonzero metrics, by path, then by function. Runs of the same size are repetitions.
std::vector<PathModel> model_paths(const std::vector<RunProfile>& runs);

/// Writes measurements in Extra-P's JSON Lines format: one line per measurement; several at one
/// point are repetitions. Values are means over the ranks, times in seconds. `parameter`: name of
/// the size.
std::string to_extra_p(const std::vector<PathModel>& models, const std::string& parameter);

}  // namespace tracefold
