// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/fit_memo.hpp"
#include "scaling/place_times.hpp"
#include "scaling/script_tree.hpp"
#include "scaling/visit.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tracefold::inline scaling {

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

    std::string what;           ///< "MPI_Isend, msg_length", one sentence's subject
    std::string why;            ///< what was tried
    std::size_t places = 0;     ///< that could be told before
    std::set<int> things = {};  ///< see Fit
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
    std::optional<int> things;  ///< see fit_number()
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

}  // namespace tracefold::inline scaling
