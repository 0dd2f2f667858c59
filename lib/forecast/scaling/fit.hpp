// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "forecast/scaling/formula.hpp"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A number of a trace at a point.
struct FitSample {
    Point point;
    u64 value = 0;
};

inline constexpr int kMostShared = 4096;  ///< problem sizes that are tried one by one

/// The formula that reproduces all observations, if any.
struct Fit {
    std::optional<Formula> formula;
    /// An equally simple formula that reproduces them but differs at the targets.
    std::optional<Formula> rival;
    /// If rivals are shares, and of blocks: all problem sizes that explain the observations.
    std::set<int> problem_sizes = {};

    [[nodiscard]] bool is_certain() const { return formula && !rival; }
};

/// True if a formula has a value at all targets.
bool is_possible(const Formula& formula, std::span<const Point> targets);

/// Indices of a few spread observations; adjacent ones are often equal.
std::vector<std::size_t> choose_samples(std::size_t observations);

/// Searches the simplest formula (fewest terms, then least weight) that reproduces every observed
/// number exactly. Requires observations of two runs, and more distinct ones than unknowns (an
/// equal number for small multiples of logarithms in three runs). `targets`: points to predict;
/// equally simple formulas must agree there. Numbers are signed, modulo 2^64. Cost: candidates^3 in
/// the worst case; the first observations rule out most.
///
/// Numbers without such a formula are searched in the communicators of the ranks: functions of
/// their size, the rank in them and their id.
///
/// `problem_size`: if given, the only problem size whose shares are tried. `element`: bytes of
/// which sizes are multiples; a formula that divides elements at a target gives way to one of
/// blocks (fit_blocks()), and is returned if there is none, with no value there. `distribution`: if
/// given, the only one of shares.
Fit fit_number(std::span<const FitSample> observations, std::span<const Point> targets,
               std::optional<int> problem_size = std::nullopt, u64 element = 1,
               std::optional<Distribution> distribution = std::nullopt);

/// Searches a formula for relative peers: grid positions first, then exclusive or, absolute ranks,
/// distances. Requirements as for fit_number().
Fit fit_peer(std::span<const FitSample> observations, std::span<const Point> targets);

/// A search for a formula of some observations at some targets.
using FitSearch = std::function<Fit(std::span<const FitSample>, std::span<const Point>)>;

/// Searches with ranks counted in communicator number `which` of each rank.
Fit fit_within(std::span<const FitSample> observations, std::span<const Point> targets, u32 which,
               const FitSearch& search);

/// Finds which communicator of its rank each observation is the id of.
Fit fit_communicator(std::span<const FitSample> observations, std::span<const Point> targets);

/// Searches a formula for multi-partitions: sums of cell positions (as in tags), multiples of the
/// product of two shares (a cell face), or of all faces of a rank. All formulas that reproduce the
/// numbers are compared at the targets; if two differ, they are rivals. None unless the grids are
/// square and there are several distinct numbers. `problem_size`: elements per dimension, if known.
/// Cost: problem sizes x observations; for plausible sizes, pairs of cell places.
Fit fit_cells(std::span<const FitSample> observations, std::span<const Point> targets,
              std::optional<int> problem_size);

/// Searches numbers that follow a distribution in blocks (Distribution), of any number of things.
/// All formulas that reproduce the numbers, and give whole elements at the targets, must agree
/// there. `problem_size`: if given, the only number of things up to kMostShared. Cost: common
/// divisors of the numbers x dimensions x distributions; a few things each.
Fit fit_blocks(std::span<const FitSample> observations, std::span<const Point> targets,
               std::optional<int> problem_size = std::nullopt, u64 element = 1,
               std::optional<Distribution> distribution = std::nullopt);

/// Caches fits by their observations. An extrapolation tries many arrangements and classifications,
/// and most numbers recur in many of them. Memory: the distinct fits.
class FitMemo {
  public:
    /// The fit of these observations at these targets; calls `make` the first time.
    template <class Make>
    const Fit& fit(const ContentHash& observations, const Make& make) {
        const auto found = fits_.find(observations);
        if (found != fits_.end()) return found->second;
        return fits_.emplace(observations, make()).first->second;
    }

  private:
    std::unordered_map<ContentHash, Fit, ContentHashHasher> fits_;
};

}  // namespace tracefold
