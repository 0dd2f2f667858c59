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

/// An iteration of a loop that is apart from the others: of the innermost loop that varies, or of
/// the one around it.
enum class EdgeIteration : u8 { first, last, outer_first, outer_last };

/// A visit of a place of a script: which iteration each loop around is in.
struct Visit {
    u64 key = 0;  ///< of the loops that all examples iterate equally often
    std::array<Point::Loop, Point::kLoops> loops{};  ///< of the others, the innermost first

    bool operator==(const Visit&) const = default;

    /// True if one more loop of which the number of iterations varies can be told.
    [[nodiscard]] bool has_room() const { return loops.back().trips == 0; }

    /// The key of a visit where an edge of a loop that varies is apart: the innermost one, or the
    /// one around it.
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

/// What a rank of some run does.
struct Example {
    const FoldedSequence* script = nullptr;
    const RankGrid* grid = nullptr;  ///< of the run; the same for all examples of it
    u32 rank = 0;
    double seconds_per_tick = 0;
};

/// Why a script cannot be told for other ranks, or other numbers of ranks.
struct Refusal {
    /// A number that has no formula.
    struct Value {
        u64 ranks = 0;  ///< of the run
        u32 rank = 0;
        i64 value = 0;
    };

    std::string what;                  ///< "MPI_Isend, msg_length", one sentence's subject
    std::string why;                   ///< what was tried
    std::size_t places = 0;            ///< that could be told before
    std::set<int> problem_sizes = {};  ///< see Fit
    std::vector<Value> values = {};
    bool names_call = true;  ///< false: it is about a place that too few runs have

    /// True if it says more than another one: what failed later was closer to the truth.
    [[nodiscard]] bool tells_more_than(const Refusal& other) const {
        if (names_call != other.names_call) return names_call;
        return places > other.places;
    }
};

/// A number of bytes that no formula gives, and what is taken in its place.
struct Approximation {
    std::string what;  ///< "MPI_Alltoallv, size_sent"
    u32 call = 0;      ///< kind
    u32 argument = 0;
    Growth growth;  ///< of the mean over ranks and executions

    bool operator==(const Approximation&) const = default;
};

/// One script for many ranks and runs: a tree, and a formula for every count and argument at every
/// place. Where all examples iterate a loop equally often, each iteration has formulas of its own;
/// elsewhere formulas depend on the iteration.
struct ScriptModel {
    /// Of the counts of a place or the values of an argument: the formula in each iteration of the
    /// loops around that all examples iterate equally often, by a key of these iterations.
    struct Numbers {
        std::unordered_map<u64, u32> formulas;
        /// By the same key, where the first or the last iteration of the innermost loop that varies
        /// has a formula of its own.
        std::unordered_map<u64, EdgeIteration> edges;
        bool is_fixed = false;  ///< of counts: the same in all examples

        /// The key of the formula of a visit.
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
    std::vector<PlaceTimes> times;  ///< by place; none without times
    u64 reordered = 0;              ///< receives from any source, taken in an order of our own
    std::vector<Approximation> approximations;
};

struct FitOptions {
    std::optional<int> problem_size;  ///< see fit_number()
    /// Ranks of the run that is asked for, at which rivals are compared.
    std::vector<Point> targets;
    /// True for arguments that nobody can predict and that mean nothing: the value of the last
    /// example is taken.
    std::function<bool(const CallType&, const CallType::Argument&)> is_free;
    /// Numbers of bytes without a formula are approximated.
    bool may_approximate = false;
    FitMemo* memo = nullptr;  ///< of the extrapolation; not null
};

/// The model that gives all examples exactly; or why there is none. Precondition: all examples have
/// the same tree. Cost: the calls of all examples, and a fit for each different series of numbers.
std::variant<ScriptModel, Refusal> fit_script(const std::vector<Example>& examples,
                                              const CallTypes& kinds, const FitOptions& options);

}  // namespace tracefold
