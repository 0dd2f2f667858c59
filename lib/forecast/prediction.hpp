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

/// How far tolerances are looked for: in seconds, and seconds per byte (1 MB/s).
inline constexpr double kLargestLatency = 0.01;
inline constexpr double kLargestPerByte = 1e-6;

/// What is to be predicted.
struct PredictionRequest {
    std::vector<Network> networks;  ///< at least one
    Placement placement;
    CollectiveAlgorithm collectives = CollectiveAlgorithm::automatic;
    /// By how much the program may take longer, as shares of its run time.
    std::vector<double> slowdowns = {0.01, 0.02, 0.05, 0.10};
    /// How many times as fast a call path's computation is; empty: as recorded.
    std::function<double(const std::string&)> faster;
    bool delays = false;  ///< what causes waits is wanted
    bool steps = false;   ///< the critical path by step is wanted
};

/// The same program on one network. Times in seconds.
struct NetworkPrediction {
    /// How much of a parameter makes the program so much slower.
    struct Tolerance {
        double slowdown = 0;
        std::optional<double> latency;   ///< L; nothing if none does
        std::optional<double> per_byte;  ///< G
    };
    struct CurvePoint {
        double value = 0;  ///< of the parameter
        double run_time = 0;
        u64 gradient = 0;  ///< L, or bytes, that the critical path has there
    };
    /// A call path whose computation were twice as fast.
    struct Gain {
        u32 node = kNone;
        double on_path = 0;  ///< its computation on the critical path
        double gain = 0;     ///< of the whole run
    };

    Network network;
    double run_time = 0;
    double ideal_run_time = 0;  ///< if messages cost nothing
    std::optional<double> faster_run_time;
    u64 latencies = 0;  ///< on the critical path: the derivative of the run time by L
    u64 overheads = 0;  ///< the same by o
    u64 bytes = 0;      ///< the same by G
    u32 last_rank = 0;
    LinkClass counted{};         ///< the links whose parameters all this is about
    std::vector<PathCost> path;  ///< adds up to the run time exactly
    /// The same by step in place of call path, if it was asked for: `node` is the number of a step,
    /// or kNone.
    std::vector<PathCost> path_by_step;
    std::vector<DelayCost> delays;  ///< if they were asked for
    double waited = 0;              ///< by all ranks together, the same
    std::vector<Tolerance> tolerances;
    std::vector<CurvePoint> over_latency;
    std::vector<CurvePoint> over_bytes;
    std::vector<Gain> gains;  ///< the largest first
};

struct Prediction {
    double recorded_run_time = 0;
    std::vector<NetworkPrediction> networks;
    UnmodelledByKind unmodelled;
    /// What comes in the recorded order, though it may come in another one on another network:
    /// receives of any source, and the calls of several threads, put into one order by time.
    UnmodelledByKind held_order;
    u64 calls = 0;
    u64 messages = 0;
    u64 steps = 0;  ///< if they were asked for; 0: the trace shows none
    CallTree tree;
};

/// How long a program would take on other networks, and what makes it so
/// (docs/reference/prediction.md). Collective; every process has opened the file, and what a
/// parameter may be is worked out by all in turn. The result is the same for any number of them,
/// and complete on all. Throws Error: usage if the file has no times or no MPI ranks; corrupt;
/// unsupported as walk_timing(). Cost: a walk to match messages, and for each network some five
/// walks. Memory: what is outstanding.
Prediction predict(Communicator& comm, TraceFile& file, const PredictionRequest& request);

/// Looks for the value of a parameter at which a convex, piecewise linear, rising function reaches
/// a target. The function is above its tangents and below its chords: the nearest tangent reaches
/// the target on the right of that value (Newton's method), the chord on the left. Both are asked
/// for at once, and come nearer with each step. Between two points with one tangent the function is
/// a line, so that the value is known without a look at it.
class ParameterSearch {
  public:
    /// A point of the function, with the derivative there.
    struct Point {
        double value = 0;
        double result = 0;
        double slope = 0;
    };

    /// `known`: points of the function, at least one of which is left of the target. Looks no
    /// farther than `most`.
    ParameterSearch(std::span<const Point> known, double target, double most, double precision);

    /// Where the function is wanted next; empty once all is known.
    [[nodiscard]] std::span<const double> wanted() const { return {wanted_.data(), count_}; }
    /// The function at each of wanted().
    void take(std::span<const Point> points);
    /// Where it reaches the target; nothing if it does not up to the most.
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
    std::optional<Point> left_;   ///< the last one known that does not reach the target
    std::optional<Point> right_;  ///< the first one known that is beyond
    std::array<double, 2> wanted_{};
    std::size_t count_ = 0;  ///< of wanted_
    std::optional<double> found_;
};

}  // namespace tracefold
