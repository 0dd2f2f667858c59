// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/types.hpp"
#include "forecast/network.hpp"
#include "forecast/prediction/timing_walk.hpp"
#include "mpi/schedule.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Limits of the tolerance search: in seconds, and in seconds per byte (1 MB/s).
inline constexpr double kLargestLatency = 0.01;
inline constexpr double kLargestPerByte = 1e-6;

/// Parameters of a prediction.
struct PredictionRequest {
    std::vector<Network> networks;  ///< at least one
    Placement placement;
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    /// Accepted slowdowns, as shares of the run time.
    std::vector<double> slowdowns = {0.01, 0.02, 0.05, 0.10};
    /// Speed-up of a call path's computation; empty: none.
    std::function<double(const std::string&)> faster;
    bool delays = false;  ///< compute causes of waits
    bool steps = false;   ///< compute the critical path by step
};

/// The program on one network. Times in seconds.
struct NetworkPrediction {
    /// Parameter values that cause a given slowdown.
    struct Tolerance {
        double slowdown = 0;
        std::optional<double> latency;   ///< L; none within the limit
        std::optional<double> per_byte;  ///< G
    };
    /// A latency at which the order of events on this network does not hold: another order changes
    /// the run time by more than 0.5 %.
    struct Reordering {
        double latency = 0;
        double held = 0;       ///< run time in the order of this network
        double reordered = 0;  ///< run time in the order of a network with this latency
    };
    struct CurvePoint {
        double value = 0;  ///< of the parameter
        double run_time = 0;
        u64 gradient = 0;  ///< L, or bytes, on the critical path
    };
    /// Gain if a call path's computation were twice as fast.
    struct Gain {
        u32 node = kNone;
        double on_path = 0;  ///< its computation on the critical path
        double gain = 0;     ///< of the run time
    };

    Network network;
    double run_time = 0;
    /// If the file keeps mean times: the run times with all durations at their shortest and at
    /// their longest, between which that with the recorded durations lies.
    struct Bounds {
        double least = 0;
        double most = 0;
    };
    std::optional<Bounds> bounds;
    /// With zero message costs; none if it exceeds the recorded run time, which disproves the order
    /// of events or the algorithms of collectives.
    std::optional<double> ideal_run_time;
    std::optional<double> faster_run_time;
    u64 latencies = 0;  ///< on the critical path: d(run time)/dL
    u64 overheads = 0;  ///< on the critical path: d(run time)/do
    u64 bytes = 0;      ///< on the critical path: d(run time)/dG
    u32 last_rank = 0;
    u32 counted = 0;  ///< level of these parameters: the outermost of any two ranks
    std::vector<WalkResult::Traffic> traffic;  ///< by level
    std::vector<PathCost> path;                ///< sums up to the run time exactly
    /// The critical path by step instead of call path, on request: `node` is a step, or kNone.
    std::vector<PathCost> path_by_step;
    std::vector<DelayCost> delays;  ///< on request
    double waited = 0;              ///< by all ranks, on request
    std::vector<Tolerance> tolerances;
    /// Among the latency of the network plus 1 us and those of the tolerances, ascending.
    std::vector<Reordering> reorderings;
    std::vector<CurvePoint> over_latency;  ///< empty if L is unknown
    std::vector<CurvePoint> over_bytes;    ///< empty if G is unknown
    std::vector<Gain> gains;               ///< in descending order
};

struct Prediction {
    double recorded_run_time = 0;
    /// If the file keeps mean times: by how much the longest computation at a place exceeds the
    /// mean there, over all computation. Differences between executions are averaged away, and the
    /// longest of some ranks is later than their mean: run times are too low as a rule.
    std::optional<double> max_to_mean;
    std::vector<NetworkPrediction> networks;
    UnmodelledByKind unmodelled;
    /// Operations kept in recorded order although another network may reorder them: wildcard
    /// receives, and calls of several threads, which are ordered by time.
    UnmodelledByKind held_order;
    /// All-to-all operations between unknown pairs, predicted without messages because the recorded
    /// run disproves that all members exchange some.
    UnmodelledCalls empty_matrices;
    u64 calls = 0;
    u64 messages = 0;  ///< in the model
    u64 steps = 0;     ///< on request; 0: none found
    CallTree tree;
};

/// Predicts the run time on other networks and its causes (docs/reference/prediction.md).
/// Collective; every process has opened the file, and all share the parameter searches. Complete on
/// all processes, independent of their number. Throws Error: usage if the file has no times or no
/// MPI ranks; corrupt; unsupported as walk_timing(). Cost: one walk to match messages, plus about
/// five walks per network. Memory: outstanding operations.
Prediction predict(Communicator& comm, TraceFile& file, const PredictionRequest& request);

/// Finds the parameter value at which a convex, piecewise linear, increasing function reaches a
/// target. The function is above its tangents and below its chords: the nearest tangent reaches the
/// target on the right of the solution (Newton's method), the chord on the left. Both are evaluated
/// together and bracket the solution. Between two points with a common tangent the function is
/// linear, and the solution needs no evaluation.
class ParameterSearch {
  public:
    /// A point of the function, with its derivative.
    struct Point {
        double value = 0;
        double result = 0;
        double slope = 0;
    };

    /// `known`: points of the function, at least one left of the target. Searches up to `most`.
    ParameterSearch(std::span<const Point> known, double target, double most, double precision);

    /// Where to evaluate the function next; empty when finished.
    [[nodiscard]] std::span<const double> wanted() const { return {wanted_.data(), count_}; }
    /// Receives the function at each of wanted().
    void take(std::span<const Point> points);
    /// The solution; none if the target is not reached up to `most`.
    [[nodiscard]] std::optional<double> found() const { return found_; }

  private:
    static constexpr int kMostSteps = 64;

    void note(const Point& point);
    [[nodiscard]] bool is_line() const;
    void find_next();

    double target_;
    double most_;
    double precision_;
    int steps_ = 0;
    std::optional<Point> left_;   ///< last known point below the target
    std::optional<Point> right_;  ///< first known point above the target
    std::array<double, 2> wanted_{};
    std::size_t count_ = 0;  ///< used entries of wanted_
    std::optional<double> found_;
};

}  // namespace tracefold
