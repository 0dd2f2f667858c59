// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/script_model.hpp"
#include "forecast/training_run.hpp"
#include "model/rank_function.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tracefold {

/// How a program arranges its processes: as many dimensions as `order` has entries, as even as
/// MPI_Dims_create() makes them; `order[d]` says which of these sizes, of which the largest is 0,
/// dimension d has. Or two equal dimensions, as large as the divisors allow, of groups of ranks in
/// a row: rows and columns of a matrix that is twice as wide as high, if need be.
struct GridRule {
    std::vector<u32> order;
    bool square_of_groups = false;

    bool operator==(const GridRule&) const = default;
};

/// The sizes of a grid by MPI_Dims_create(): as close to each other as the divisors allow, in
/// falling order. Precondition: both are at least 1.
std::vector<u32> even_sizes(u32 ranks, std::size_t dimensions);

/// The grid of so many ranks by a rule.
RankGrid grid_by(const GridRule& rule, u32 ranks);

/// Rules to be tried, the simplest first: a chain, then two and three dimensions in all orders,
/// then squares of groups.
std::vector<GridRule> grid_rules();

/// "3-D, x <= y <= z"
std::string to_text(const GridRule& rule);

/// What the recorded numbers of ranks have in common and `ranks` has not: "a square"; empty if
/// there is nothing. Two numbers say nothing.
std::string missing_property(const std::vector<u32>& recorded, u32 ranks);

/// Which ranks are taken for alike: those at the same distance from the borders of the grid, as
/// far as `width` places count.
struct GridClasses {
    u32 width = 0;
};

/// The same for ranks of one class, whatever the size of the grid. Cost: the dimensions.
u64 class_of(const GridClasses& classes, const RankGrid& grid, u32 rank);

/// Ways to tell ranks apart, the coarsest first.
std::vector<GridClasses> ways_to_classify();

/// "all ranks alike", "by distance from the border".
std::string to_text(const GridClasses& classes);

/// How all ranks of a run that nobody has made behave, as far as the runs that were made tell.
struct ProgramModel {
    struct Thread {
        ScriptModel events;
        ScriptModel definitions;
    };

    GridRule rule;
    bool has_times = false;  ///< of events
    GridClasses classes;
    RankGrid grid;                                ///< of the run that is asked for
    std::vector<ScriptModel> global_definitions;  ///< one
    /// By class of ranks: the threads of each.
    std::unordered_map<u64, std::vector<Thread>> of_class;

    /// Receives from any source whose order in the runs was not that of the model.
    [[nodiscard]] u64 reordered() const;
    /// All that is approximated; the same once.
    [[nodiscard]] std::vector<Approximation> approximations() const;
};

struct ProgramRequest {
    u32 ranks = 0;
    std::vector<u32> grid;  ///< of the run that is asked for, slowest first; empty: by the rule
    /// If not everything is exact: numbers of bytes without a formula are approximated.
    bool may_approximate = false;
};

/// Finds the arrangement and the classes of ranks under which everything that the runs do is a
/// formula. `runs` by rising number of ranks. If there is none, tells what cannot be predicted.
/// Cost: for each arrangement tried, up to the first failure, the calls of all runs.
std::variant<ProgramModel, Refusal> model_program(const std::vector<TrainingRun>& runs,
                                                  const CallTypes& kinds,
                                                  const ProgramRequest& request);

}  // namespace tracefold
