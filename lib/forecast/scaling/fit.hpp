// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "forecast/scaling/formula.hpp"

#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A number of a trace and where it stands.
struct FitSample {
    Point point;
    u64 value = 0;
};

/// The formula that explains all observations, if there is one.
struct Fit {
    std::optional<Formula> formula;
    /// Another one that is as simple and explains them all, but says otherwise of those to come.
    std::optional<Formula> rival;
    /// Where rivals are shares: all numbers of things that explain the observations.
    std::set<int> problem_sizes = {};

    [[nodiscard]] bool is_certain() const { return formula && !rival; }
};

/// Numbers of a few of so many observations from all over; neighbours are often alike.
std::vector<std::size_t> choose_samples(std::size_t observations);

/// Looks for the simplest formula that gives every observed number exactly: of the fewest terms,
/// and of the least weight among these. It counts only if there are observations of two runs, and
/// more different ones than unknowns (as many do for small multiples of
/// logarithms in three runs). `targets`: points whose numbers will be asked for, at which
/// formulas that are as simple must agree. Numbers are signed, modulo 2^64. Cost: candidates to the
/// third power in the worst case, most of which the first observations rule out.
///
/// `things`: if given, the one number of things that numbers of the program are shares of.
Fit fit_number(std::span<const FitSample> observations, std::span<const Point> targets,
               std::optional<int> problem_size = std::nullopt);

/// The same for relative peers: places of the grid first, then exclusive or, ranks as numbers, and
/// distances.
Fit fit_peer(std::span<const FitSample> observations, std::span<const Point> targets);

/// Looks for a formula of what ranks of a multi-partition do: sums of places of cells (as in tags),
/// multiples of the product of two shares (the face of a cell), or of all faces of a rank. All such
/// formulas that give every number are compared at the targets; if they do not agree there, one is
/// the rival of another. Nothing unless the grids are squares and there are several different
/// numbers. `things`: how many things a dimension has, if that is known. Cost: numbers of things
/// times the observations; for those that may be right, pairs of places of cells.
Fit fit_cells(std::span<const FitSample> observations, std::span<const Point> targets,
              std::optional<int> problem_size);

/// Fits by the observations that they explain, or cannot explain. An extrapolation tries many
/// arrangements and ways to tell ranks apart, and most numbers of a trace are the same in many of
/// them. Memory: the different ones.
class FitMemo {
  public:
    /// The fit of these observations at these targets; `make` looks for it the first time.
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
