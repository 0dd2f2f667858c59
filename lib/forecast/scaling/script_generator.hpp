// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/script_model.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Generates the calls of one rank after the other from a model. Ranks with equal repetition counts
/// share a plan, so only distinct numbers are evaluated per rank. The arguments must outlive the
/// generator.
class ScriptGenerator {
  public:
    ScriptGenerator(const ScriptModel& model, const CallTypes& kinds)
        : model_(model), kinds_(kinds) {}

    /// The calls of a rank; valid until the next call. Throws Error(unsupported) for impossible
    /// values: negative counts, peers that do not exist. `communicators`: of the run, unless the
    /// formulas are of global definitions.
    const CallSequence& generate(const RankGrid& grid, u32 rank,
                                 const RankCommunicators* communicators = nullptr);

    /// Places of the generated calls.
    [[nodiscard]] const std::vector<u32>& places() const { return places_; }

  private:
    /// A number to evaluate: a formula in certain iterations.
    struct Cell {
        u32 formula = 0;
        std::array<Point::Loop, Point::kLoops> loops{};
        u32 place = 0;          ///< for messages
        u32 argument = 0;       ///< for messages; kNone: the count
        bool is_count = false;  ///< the plan depends on it
    };

    [[nodiscard]] u64 evaluate(const Cell& cell) const;
    [[noreturn]] void fail(const Cell& cell) const;
    void plan();
    void plan(const std::vector<u32>& places, const Visit& visit);
    void plan_call(u32 place, const Visit& visit);
    u64 plan_count(u32 place, const ScriptModel::Numbers& numbers, const Visit& visit,
                   u32 argument);
    u32 cell_of(u32 place, const ScriptModel::Numbers& numbers, const Visit& visit, u32 argument);
    [[nodiscard]] bool fits_plan();

    const ScriptModel& model_;
    const CallTypes& kinds_;
    const RankGrid* grid_ = nullptr;
    u32 rank_ = 0;
    const RankCommunicators* communicators_ = nullptr;
    bool planned_ = false;
    std::vector<Cell> cells_;
    std::map<std::array<u64, 3>, u32> known_cells_;
    std::vector<std::pair<u32, u64>>
        counts_;                    ///< distinct cells with the values assumed by the plan
    std::vector<u32> value_cells_;  ///< by value
    std::vector<u64> worked_out_;   ///< by cell
    CallSequence sequence_;
    std::vector<u32> places_;  ///< by call
};

}  // namespace tracefold
