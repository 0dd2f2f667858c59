// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "forecast/prediction.hpp"
#include "model/definition_index.hpp"

#include <array>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// A prediction, and what people ask for with it.
struct PredictView {
    std::string file;
    Prediction data;
    Placement placement;
    const DefinitionIndex* definitions = nullptr;
    std::string faster;       ///< as given; empty if nothing is
    bool has_delays = false;  ///< they were asked for
    bool has_steps = false;   ///< the same

    /// "main/solve/MPI_Send"
    [[nodiscard]] std::string path(u32 node) const;
    /// Of the time of all ranks as recorded.
    [[nodiscard]] double share_of_ranks(double seconds) const;
};

/// "latency"
std::string_view cost_name(CostKind kind);

/// Seconds by kind of cost.
using CostSums = std::array<double, kCostKinds>;
CostSums sums_by_kind(const std::vector<PathCost>& path);

/// What the critical path spends in one step.
struct StepRow {
    u32 step = kNone;  ///< kNone: outside of all steps
    i64 time = 0;      ///< picoseconds
    CostSums kinds{};
    std::map<u32, i64> ranks;  ///< that it visits, and the time there
};
/// By step, what is outside of all steps last.
std::vector<StepRow> rows_by_step(const std::vector<PathCost>& path);

void print_prediction(const PredictView& view, Console& console);
/// One line per figure: network,what,item,value. SI units.
void write_prediction_csv(const PredictView& view, std::ostream& out);
void write_prediction_json(const PredictView& view, Console& console);

}  // namespace tracefold
