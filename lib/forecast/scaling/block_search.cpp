// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using Function = Monomial::Function;

constexpr std::size_t kFewestRows = 3;  ///< distinct pairs of a size of the dimension and a number
constexpr i64 kMostHalo = 2;
constexpr u64 kMostTried = u64{1} << 16U;  ///< divisors, things to distribute

/// Searches the distributions of N things in blocks over a dimension or over all ranks whose shares
/// explain the numbers: c (share + h), with a halo of h from -2 to 2, or c share P, c share (P - 1)
/// as of collective operations. The share is that of the rank or of a neighbour, as in messages
/// that it receives. N follows from the numbers, and c divides all of them.
class BlockSearch {
  public:
    BlockSearch(std::span<const FitSample> observations, std::span<const Point> targets,
                std::optional<int> problem_size, std::optional<Distribution> distribution,
                u64 element)
        : observations_(observations),
          targets_(targets),
          problem_size_(problem_size),
          distribution_(distribution),
          element_(element) {}

    Fit run() {
        const std::size_t dimensions = observations_.front().point.grid->dimensions();
        for (std::size_t k = 0; k < dimensions; ++k) {
            try_dimension(static_cast<Variable>(static_cast<std::size_t>(Variable::size_x) + k));
        }
        if (dimensions > 1) try_dimension(Variable::ranks);
        fit_.problem_sizes = std::move(things_);
        return std::move(fit_);
    }

  private:
    /// What multiplies a share, besides c.
    enum class Times : u8 { one, ranks, other_ranks };

    /// A share in the run of an observation, in things.
    struct Share {
        const Point* point = nullptr;
        i64 size = 0;
        i64 place = 0;
        i64 number = 0;  ///< observed, by the multiplier
    };

    void try_dimension(Variable size) {
        for (const int neighbour : {0, -1, 1}) {
            for (const Times times : {Times::one, Times::ranks, Times::other_ranks}) {
                if (!find_shares(size, neighbour, times)) continue;
                const std::vector<i64> all = multiples();
                for (int i = 0; i < kDistributions; ++i) {
                    if (distribution_.value_or(static_cast<Distribution>(i)) !=
                        static_cast<Distribution>(i)) {
                        continue;
                    }
                    const Monomial::Factor share{
                        Function::share, size, 0, {}, {}, neighbour, static_cast<Distribution>(i)};
                    for (const i64 multiple : all) try_halos(share, times, multiple);
                }
            }
        }
    }

    void try_halos(const Monomial::Factor& share, Times times, i64 multiple) {
        const i64 most = times == Times::one ? kMostHalo : 0;
        for (i64 halo = -most; halo <= most; ++halo) attempt(share, times, multiple, halo);
    }

    /// False if they are no multiples of the multiplier, or too few.
    bool find_shares(Variable size, int neighbour, Times times) {
        shares_.clear();
        std::set<std::pair<i64, i64>> different;
        for (const FitSample& observation : observations_) {
            const Point& point = observation.point;
            const i64 ranks = static_cast<i64>(point.grid->participants());
            const i64 factor = times == Times::one ? 1 : times == Times::ranks ? ranks : ranks - 1;
            const auto number = static_cast<i64>(observation.value);
            if (factor <= 0 || number <= 0 || number % factor != 0) return false;
            const i64 places = value_of(size, point);
            const auto place = size == Variable::ranks
                                   ? Variable::rank
                                   : static_cast<Variable>(static_cast<std::size_t>(size) + 4);
            static_assert(static_cast<int>(Variable::x) - static_cast<int>(Variable::size_x) == 4);
            shares_.push_back({&point, places, modulo(value_of(place, point) + neighbour, places),
                               number / factor});
            different.insert({places, number});
        }
        return different.size() >= kFewestRows;
    }

    /// Common divisors of all numbers.
    [[nodiscard]] std::vector<i64> multiples() const {
        i64 common = 0;
        for (const Share& share : shares_) common = std::gcd(common, share.number);
        std::vector<i64> all;
        for (i64 divisor = 1; divisor * divisor <= common; ++divisor) {
            if (static_cast<u64>(divisor) > kMostTried) break;
            if (common % divisor != 0) continue;
            all.push_back(divisor);
            if (divisor * divisor != common) all.push_back(common / divisor);
        }
        return all;
    }

    /// Numbers of things of which a place may have this share.
    static std::pair<i64, i64> range_of(Distribution distribution, const Share& at, i64 share) {
        const i64 least = (share - 1) * at.size + 1;
        const i64 others = at.size - 1;
        switch (distribution) {
            case Distribution::first:
            case Distribution::last:
            case Distribution::spread:
                return {least, (share + 1) * at.size - 1};
            case Distribution::ceiling:
                if (at.place == others) return {share * at.size, share * at.size + others * others};
                return {least, std::max(share, (at.size + share) / (at.size - at.place)) * at.size};
            case Distribution::rest_first:
            case Distribution::rest_last:
                if (at.place == (distribution == Distribution::rest_first ? 0 : others))
                    return {share * at.size - others * others, share * at.size};
                return {share * at.size, share * at.size + others};
        }
        return {};
    }

    void attempt(Monomial::Factor factor, Times times, i64 multiple, i64 halo) {
        i64 first = 1;
        i64 last = std::numeric_limits<int>::max();
        for (const Share& at : shares_) {
            const i64 share = at.number / multiple - halo;
            if (share <= 0 || share > last) return;
            const auto [low, high] = range_of(factor.distribution, at, share);
            first = std::max(first, low);
            last = std::min(last, high);
            if (first > last) return;
        }
        if (static_cast<u64>(last - first) > kMostTried) return;
        for (i64 things = first; things <= last; ++things) {
            if (!may_be(things)) continue;
            factor.parameter = static_cast<int>(things);
            const bool holds = std::ranges::all_of(shares_, [&](const Share& at) {
                return share_of(factor, *at.point) == at.number / multiple - halo;
            });
            if (holds && offer(formula_of(factor, times, multiple, halo)))
                things_.insert(factor.parameter);
        }
    }

    /// Large numbers of things are those of another dimension than a small problem size.
    [[nodiscard]] bool may_be(i64 things) const {
        return !problem_size_ || things == *problem_size_ ||
               (things > kMostShared && *problem_size_ <= kMostShared);
    }

    [[nodiscard]] Formula formula_of(const Monomial::Factor& share, Times times, i64 multiple,
                                     i64 halo) const {
        const Monomial::Factor ranks{Function::power, Variable::ranks, 1};
        Formula formula;
        formula.element = element_;
        if (times != Times::one) formula.terms.push_back({multiple, {{ranks, share}}});
        if (times == Times::one) formula.terms.push_back({multiple, {{share}}});
        if (times == Times::other_ranks) formula.terms.push_back({-multiple, {{share}}});
        if (halo != 0) formula.terms.push_back({multiple * halo, {}});
        return formula;
    }

    /// Accepts what is possible at all targets; all formulas must agree there.
    bool offer(Formula formula) {
        std::vector<u64> said;
        for (const Point& target : targets_) {
            const auto value = evaluate(formula, target);
            if (!value) return false;
            said.push_back(*value);
        }
        if (!fit_.formula) {
            fit_.formula = std::move(formula);
            said_ = std::move(said);
        } else if (!fit_.rival && said != said_) {
            fit_.rival = std::move(formula);
        }
        return true;
    }

    std::span<const FitSample> observations_;
    std::span<const Point> targets_;
    std::optional<int> problem_size_;
    std::optional<Distribution> distribution_;
    u64 element_;
    std::vector<Share> shares_;  ///< by observation
    std::vector<u64> said_;      ///< by target
    std::set<int> things_;       ///< numbers of things that explain the numbers
    Fit fit_;
};

}  // namespace

Fit fit_blocks(std::span<const FitSample> observations, std::span<const Point> targets,
               std::optional<int> problem_size, u64 element,
               std::optional<Distribution> distribution) {
    return BlockSearch(observations, targets, problem_size, distribution, element).run();
}

}  // namespace tracefold
