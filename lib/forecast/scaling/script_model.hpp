// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "forecast/scaling/fit.hpp"
#include "forecast/scaling/formula.hpp"
#include "forecast/scaling/place_times.hpp"
#include "forecast/scaling/script_tree.hpp"

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tracefold {

/// An iteration with its own formula: of the innermost varying loop, or of the loop around it.
enum class EdgeIteration : u8 { first, last, outer_first, outer_last };

/// A visit of a place of a script: the iteration of each enclosing loop.
struct Visit {
    u64 key = 0;  ///< of loops with equal trip counts in all examples
    std::array<Point::Loop, Point::kLoops> loops{};  ///< of the other loops, innermost first

    bool operator==(const Visit&) const = default;

    /// Whether one more varying loop can be represented.
    [[nodiscard]] bool has_room() const { return loops.back().trips == 0; }

    /// The key of a visit with a separate boundary iteration.
    [[nodiscard]] u64 key_at(EdgeIteration edge) const {
        const bool outer = edge == EdgeIteration::outer_first || edge == EdgeIteration::outer_last;
        const bool first = edge == EdgeIteration::first || edge == EdgeIteration::outer_first;
        const Point::Loop& loop = loops[outer ? 1 : 0];
        const bool is_edge = loop.index == (first ? 0 : loop.trips - 1);
        return is_edge ? mix(key ^ 0x5851f42d4c957f2dULL) : key;
    }

    /// The visit within an iteration of one more loop.
    [[nodiscard]] Visit within(bool is_fixed, u64 index, u64 trips) const {
        Visit inner = *this;
        if (is_fixed) {
            inner.key = mix(key + kGolden * (index + 1));
        } else {
            inner.loops[1] = loops[0];
            inner.loops[0] = {static_cast<u32>(index), static_cast<u32>(trips)};
        }
        return inner;
    }
};

/// The behaviour of a rank in a run.
struct Example {
    const FoldedSequence* script = nullptr;
    const RankGrid* grid = nullptr;  ///< of the run; shared by all its examples
    u32 rank = 0;
    double seconds_per_tick = 0;
    const RankCommunicators* communicators = nullptr;  ///< of the run; null: global definitions
};

/// Why a script cannot be extrapolated.
struct Refusal {
    /// A number without a formula.
    struct Value {
        u64 ranks = 0;  ///< of the run
        u32 rank = 0;
        i64 value = 0;
    };

    std::string what;                  ///< "MPI_Isend, msg_length"; empty: `why` is a sentence
    std::string why;                   ///< the attempts
    std::size_t places = 0;            ///< modelled before the failure
    std::set<int> problem_sizes = {};  ///< see Fit
    std::vector<Value> values = {};
    bool names_call = true;  ///< false: the place occurs in too few runs

    /// Whether it is more informative: a later failure was closer to a model.
    [[nodiscard]] bool tells_more_than(const Refusal& other) const {
        if (names_call != other.names_call) return names_call;
        return places > other.places;
    }
};

/// A byte count without a formula, or whose formula divides elements of the requested run.
struct Approximation {
    std::string what;  ///< "MPI_Alltoallv, size_sent"
    u32 call = 0;      ///< kind of call
    u32 argument = 0;
    std::string formula;  ///< of P ranks: growth of the mean over ranks and executions, or rounded
    double error = 0;     ///< of sizes that are left out; 0 of a formula that explains all runs

    bool operator==(const Approximation&) const = default;
};

/// One script for many ranks and runs: a tree, and a formula for every count and argument at every
/// place. In loops with equal trip counts in all examples, each iteration has its own formulas; in
/// others, formulas depend on the iteration.
struct ScriptModel {
    /// Formulas of a place's counts or an argument's values, by a key of the iterations of
    /// enclosing loops with equal trip counts.
    struct Numbers {
        std::unordered_map<u64, u32> formulas;
        /// By key: the boundary iteration of a varying loop that has its own formula.
        std::unordered_map<u64, EdgeIteration> edges;
        bool is_fixed = false;  ///< of counts: equal in all examples

        [[nodiscard]] u64 key_of(const Visit& visit) const {
            const auto edge = edges.find(visit.key);
            return edge == edges.end() ? visit.key : visit.key_at(edge->second);
        }
    };
    struct Place {
        Numbers count;
        std::vector<Numbers> arguments;
    };

    ScriptTree tree;
    std::vector<Place> places;
    std::vector<Formula> formulas;
    std::vector<PlaceTimes> times;  ///< by place; empty without times
    u64 reordered = 0;              ///< wildcard receives in a canonical order
    std::vector<Approximation> approximations;
};

struct FitOptions {
    std::optional<int> problem_size;           ///< see fit_number()
    std::optional<Distribution> distribution;  ///< see fit_number()
    /// Ranks of the target run, at which rivals are compared.
    std::vector<Point> targets;
    /// Selects unpredictable arguments without meaning: the model takes the last example's value.
    std::function<bool(const CallType&, const CallType::Argument&)> is_free;
    /// Approximates byte counts without a formula.
    bool may_approximate = false;
    FitMemo* memo = nullptr;  ///< of the extrapolation; not null
};

/// The model that reproduces all examples exactly, or the reason for failure. Precondition: all
/// examples have the same tree. Cost: the calls of all examples, and a fit per distinct series of
/// numbers.
std::variant<ScriptModel, Refusal> fit_script(const std::vector<Example>& examples,
                                              const CallTypes& kinds, const FitOptions& options);

}  // namespace tracefold
