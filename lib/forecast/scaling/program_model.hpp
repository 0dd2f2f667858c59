// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/scaling/imbalance.hpp"
#include "forecast/scaling/script_model.hpp"
#include "forecast/training_run.hpp"
#include "model/rank_function.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tracefold {

/// An arrangement of processes: `order.size()` dimensions, as even as MPI_Dims_create() makes them;
/// dimension d has size number `order[d]`, 0 being the largest. Or a square of groups: two equal
/// dimensions, as large as the divisors allow, of groups of consecutive ranks (rows and columns of
/// a matrix, possibly twice as wide as high).
struct GridRule {
    std::vector<u32> order;
    bool square_of_groups = false;
    /// By ranks: grids that the user gives, slowest dimension first.
    std::map<u32, std::vector<u32>> given = {};

    bool operator==(const GridRule&) const = default;
};

/// Grid sizes by MPI_Dims_create(): as even as the divisors allow, in descending order.
/// Precondition: both are at least 1.
std::vector<u32> even_sizes(u32 ranks, std::size_t dimensions);

RankGrid grid_by(const GridRule& rule, u32 ranks);

/// Rules to try, simplest first: chain, two and three dimensions in all orders, squares of groups.
std::vector<GridRule> grid_rules();

/// "3-D, x <= y <= z"
std::string to_text(const GridRule& rule);

/// A property that the recorded numbers of ranks share and `ranks` lacks: "a square"; empty: none.
/// Two numbers are not enough.
std::string missing_property(const std::vector<u32>& recorded, u32 ranks);

/// A classification of ranks: by distance from the grid borders, up to `width`.
struct GridClasses {
    u32 width = 0;
    /// Also by the number of the rank's communicators, and by the distance from their first and
    /// last members.
    bool by_communicators = false;
};

/// A class number that is independent of the grid's size. `communicators`: of the run, needed by
/// their classes only. Cost: the dimensions and communicators.
u64 class_of(const GridClasses& classes, const RankGrid& grid, u32 rank,
             const RankCommunicators* communicators = nullptr);

/// Classifications, coarsest first. `has_parts`: the runs have communicators of some ranks.
std::vector<GridClasses> ways_to_classify(bool has_parts);

/// "all ranks alike", "by distance from the border".
std::string to_text(const GridClasses& classes);

/// The behaviour of all ranks of an extrapolated run, derived from recorded runs.
struct ProgramModel {
    struct Thread {
        ScriptModel events;
        ScriptModel definitions;
        /// How times differ between the ranks of the class, by the kinds of a call and of the one
        /// before it.
        struct Imbalances {
            Imbalance before;
            Imbalance within;
        };
        std::map<std::pair<u32, u32>, Imbalances> imbalances = {};
    };

    GridRule rule;
    bool has_times = false;  ///< of events
    GridClasses classes;
    RankGrid grid;                                           ///< of the target run
    std::vector<ScriptModel> global_definitions;             ///< one element
    std::shared_ptr<const RankCommunicators> communicators;  ///< of the target run
    /// By class of ranks: the threads of each.
    std::unordered_map<u64, std::vector<Thread>> of_class;

    /// Wildcard receives whose recorded order differs from the model's.
    [[nodiscard]] u64 reordered() const;
    /// All approximated numbers, without duplicates.
    [[nodiscard]] std::vector<Approximation> approximations() const;
};

struct ProgramRequest {
    u32 ranks = 0;
    std::vector<u32> grid;  ///< of the target run, slowest dimension first; empty: by the rule
    std::map<u32, std::vector<u32>>
        training_grids;  ///< of runs by ranks, likewise; others by the rule
    /// Approximates byte counts without a formula.
    bool may_approximate = false;
    /// Why the run of a model must not be used; empty if it may. The search goes on with other
    /// views of the runs then.
    std::function<std::string(const ProgramModel&)> fault;
};

/// Finds the arrangement and classification under which formulas describe the runs completely; else
/// reports what cannot be predicted. `runs`: by ascending number of ranks. Cost per arrangement: up
/// to the first failure, the calls of all runs.
std::variant<ProgramModel, Refusal> model_program(const std::vector<TrainingRun>& runs,
                                                  const CallTypes& kinds,
                                                  const ProgramRequest& request);

}  // namespace tracefold
