// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "prediction/network.hpp"
#include "prediction/placement.hpp"
#include "prediction/timing_walk.hpp"
#include "schedules/schedule.hpp"

#include <functional>
#include <map>
#include <optional>
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

/// How long a program would take on other networks, and what makes it so (docs/predict.md).
/// Collective; every process has opened the file, and what a parameter may be is worked out by all
/// in turn. The result is the same for any number of them, and complete on all. Throws Error:
/// usage if the file has no times or no MPI ranks; corrupt; unsupported as walk_timing(). Cost: a
/// walk to match messages, and for each network some five walks. Memory: what is outstanding.
Prediction predict(Communicator& comm, TraceFile& file, const PredictionRequest& request);

}  // namespace tracefold
