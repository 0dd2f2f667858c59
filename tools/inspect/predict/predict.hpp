// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "forecast/placement_advice.hpp"
#include "forecast/prediction.hpp"
#include "model/definition_index.hpp"

#include <array>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// A prediction with its display options.
struct PredictView {
    std::string file;
    Prediction data;
    Placement placement;
    std::string order;  ///< of the ranks on the nodes, as given; empty: as recorded
    const DefinitionIndex* definitions = nullptr;
    std::string faster;       ///< as given; empty: none
    bool has_delays = false;  ///< delays were requested
    bool has_steps = false;   ///< steps were requested

    /// "main/solve/MPI_Send"
    [[nodiscard]] std::string path(u32 node) const;
    /// Share of the critical path that is taken as recorded, whatever the network.
    [[nodiscard]] static double recorded_share(const NetworkPrediction& network);
    /// Share of the recorded time of all ranks.
    [[nodiscard]] double share_of_ranks(double seconds) const;
};

/// An advised placement.
struct PlacementView {
    std::string file;
    std::string order_file;
    const Network& network;
    const Placement& placement;
    const PlacementAdvice& advice;
};
void write_placement_csv(const PlacementView& view, std::ostream& out);
void write_placement_json(const PlacementView& view, Console& console);
void print_placement(const PlacementView& view, Console& console);

/// The kind of Prediction::empty_matrices.
inline constexpr std::string_view kMatrixKind = "all-to-all between unknown pairs";

/// "latency"
std::string_view cost_name(CostKind kind);

using CostSums = std::array<double, kCostKinds>;
CostSums sums_by_kind(const std::vector<PathCost>& path);

/// The critical path in one step.
struct StepRow {
    u32 step = kNone;  ///< kNone: outside of steps
    i64 time = 0;      ///< picoseconds
    CostSums kinds{};
    std::map<u32, i64> ranks;  ///< visited ranks, with the time there
};
/// By step; time outside of steps last.
std::vector<StepRow> rows_by_step(const std::vector<PathCost>& path);

void print_prediction(const PredictView& view, Console& console);
/// Writes one line per figure: network,what,item,value. SI units.
void write_prediction_csv(const PredictView& view, std::ostream& out);
void write_prediction_json(const PredictView& view, Console& console);

}  // namespace tracefold
