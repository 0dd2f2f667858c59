// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using Function = Monomial::Function;
using Extent = CellPlace::Extent;

constexpr std::size_t kFewest = 3;  ///< distinct numbers
constexpr int kMostOffset = 2;
constexpr Extent kExtents[] = {Extent::whole, Extent::inner, Extent::one_more, Extent::two_more};

bool is_square(const RankGrid& grid) {
    return grid.dimensions() == 2 && grid.sizes()[0] == grid.sizes()[1];
}

/// All combinations; a coefficient of the iteration only in loops.
std::vector<CellPlace> all_places(bool in_loop) {
    std::vector<CellPlace> all;
    for (const int index : {0, -1, 1}) {
        if (index != 0 && !in_loop) continue;
        for (const int x : {0, 1, -1}) {
            for (const int y : {0, 1, -1}) {
                for (int offset = -kMostOffset; offset <= kMostOffset; ++offset) {
                    all.push_back({x, y, index, offset});
                }
            }
        }
    }
    return all;
}

std::vector<FaceSum> all_faces() {
    std::vector<FaceSum> all;
    for (const auto& [x, y] : {std::pair{1, -1}, {-1, 1}, {1, 1}, {-1, -1}}) {
        for (const int dimension : {0, 1, 2}) {
            for (const int left_out : {0, 1, -1}) all.push_back({x, y, dimension, left_out});
        }
    }
    return all;
}

/// Likely products of shares in runs whose smallest cell extent is `least`; 1: a single share.
std::vector<i64> likely_products(i64 least) {
    std::vector<i64> shares = {1};
    for (i64 share = least - 1; share <= least + 3; ++share) shares.push_back(share);
    std::vector<i64> products;
    for (std::size_t a = 0; a < shares.size(); ++a) {
        for (std::size_t b = a; b < shares.size(); ++b) products.push_back(shares[a] * shares[b]);
    }
    std::ranges::sort(products);
    return products;
}

Monomial::Factor factor_of(const CellPlace& place) {
    return {Function::cell_place, Variable::size_x, 1, place, {}};
}

Monomial::Factor share_factor(const CellPlace& place, int problem_size) {
    return {Function::cell_share, Variable::size_x, problem_size, place, {}};
}

class CellSearch {
  public:
    CellSearch(std::span<const FitSample> observations, std::span<const Point> targets,
               std::optional<int> problem_size)
        : observations_(observations), problem_size_(problem_size) {
        in_loop_ = std::ranges::any_of(observations, [](const FitSample& observation) {
            return observation.point.loops[0].trips != 0;
        });
        choose_points(targets);
    }

    Fit run() {
        if (!may_be_cells()) return {};
        search_places();
        if (!fit_.formula) search_sizes(&CellSearch::try_faces);
        if (!fit_.formula) search_sizes(&CellSearch::try_shares);
        return std::move(fit_);
    }

  private:
    /// A place or share, with its values at all points.
    struct Candidate {
        CellPlace place;
        std::vector<i64> values;
        bool is_one = false;  ///< no share but the constant 1
    };

    [[nodiscard]] bool may_be_cells() const {
        std::set<u64> different;
        for (const FitSample& observation : observations_) {
            if (!is_square(*observation.point.grid)) return false;
            different.insert(observation.value);
        }
        const auto at_target = points_.begin() + static_cast<long>(samples_.size());
        return different.size() >= kFewest &&
               std::all_of(at_target, points_.end(),
                           [](const Point& point) { return is_square(*point.grid); });
    }

    /// Chooses evenly spread observations, and the targets in several iterations.
    void choose_points(std::span<const Point> targets) {
        for (const std::size_t at : choose_samples(observations_.size())) {
            points_.push_back(observations_[at].point);
            samples_.push_back(static_cast<i64>(observations_[at].value));
        }
        for (Point target : targets) {
            const u32 side = target.grid->sizes()[0];
            for (const u32 index : {0U, 1U, side / 3, side / 2}) {
                if (in_loop_) target.loops[0].index = index;
                if (index == 0 || in_loop_) points_.push_back(target);
            }
        }
    }

    [[nodiscard]] i64 side(std::size_t point) const { return points_[point].grid->sizes()[0]; }

    /// Candidates with distinct values.
    template <class Value>
    std::vector<Candidate> candidates(std::vector<CellPlace> places, const Value& value) const {
        std::vector<Candidate> all;
        std::set<std::vector<i64>> known;
        for (const CellPlace& place : places) {
            Candidate made{place, {}};
            for (const Point& point : points_) made.values.push_back(value(place, point));
            if (known.insert(made.values).second) all.push_back(std::move(made));
        }
        return all;
    }

    /// Tries c + A + X B and c + m A.
    void search_places() {
        const auto all = candidates(all_places(in_loop_), place_of);
        for (const Candidate& a : all) try_multiple(a);
        for (const Candidate& a : all) {
            for (const Candidate& b : all) try_pair(a, b);
        }
    }

    void try_multiple(const Candidate& a) {
        const auto other =
            std::find_if(a.values.begin(), a.values.begin() + static_cast<long>(samples_.size()),
                         [&](i64 value) { return value != a.values[0]; });
        const auto at = static_cast<std::size_t>(other - a.values.begin());
        if (at == samples_.size()) return;
        const i64 rise = samples_[at] - samples_[0];
        const i64 run = a.values[at] - a.values[0];
        if (rise == 0 || rise % run != 0) return;
        const i64 multiple = rise / run;
        const i64 constant = samples_[0] - multiple * a.values[0];
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            if (samples_[i] != constant + multiple * a.values[i]) return;
        }
        offer({constant, {}}, {{multiple, {{factor_of(a.place)}}}});
    }

    void try_pair(const Candidate& a, const Candidate& b) {
        const i64 constant = samples_[0] - a.values[0] - side(0) * b.values[0];
        for (std::size_t i = 1; i < samples_.size(); ++i) {
            if (samples_[i] != constant + a.values[i] + side(i) * b.values[i]) return;
        }
        const Monomial::Factor size{Function::power, Variable::size_x, 1, {}, {}};
        offer({constant, {}}, {{1, {{factor_of(a.place)}}}, {1, {{size, factor_of(b.place)}}}});
    }

    /// Tries problem sizes one by one; records all that explain the numbers.
    void search_sizes(void (CellSearch::*attempt)(int)) {
        i64 widest = 2;
        for (std::size_t i = 0; i < samples_.size(); ++i) widest = std::max(widest, side(i));
        const int first = problem_size_.value_or(static_cast<int>(widest));
        const int last = problem_size_.value_or(kMostShared);
        for (int problem_size = first; problem_size <= last; ++problem_size) {
            const u64 before = found_;
            (this->*attempt)(problem_size);
            if (found_ != before) explaining_.insert(problem_size);
        }
        if (fit_.rival) fit_.problem_sizes = explaining_;
    }

    void try_faces(int problem_size) {
        static const std::vector<FaceSum> kFaces = all_faces();
        for (const FaceSum& faces : kFaces) {
            const i64 first = sum_of_faces(faces, problem_size, points_[0]);
            if (first <= 0 || samples_[0] < first || samples_[0] % first != 0) continue;
            const i64 multiple = samples_[0] / first;
            bool same = true;
            for (std::size_t i = 1; same && i < samples_.size(); ++i) {
                same = samples_[i] == multiple * sum_of_faces(faces, problem_size, points_[i]);
            }
            if (!same) continue;
            offer({}, {{multiple,
                        {{{Function::cell_faces, Variable::size_x, problem_size, {}, faces}}}}});
        }
    }

    void try_shares(int problem_size) {
        std::set<i64> multiples;
        for (const i64 product : likely_products(problem_size / side(0))) {
            if (product > 0 && samples_[0] > 0 && samples_[0] % product == 0) {
                multiples.insert(samples_[0] / product);
            }
        }
        std::erase_if(multiples, [&](i64 multiple) { return !is_likely(problem_size, multiple); });
        if (multiples.empty()) return;
        const std::vector<Candidate> shares = shares_of(problem_size);
        for (const i64 multiple : multiples) {
            for (std::size_t a = 0; a < shares.size(); ++a) {
                for (std::size_t b = a; b < shares.size(); ++b) {
                    try_product(problem_size, multiple, shares[a], shares[b]);
                }
            }
        }
    }

    [[nodiscard]] bool is_likely(int problem_size, i64 multiple) const {
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            if (samples_[i] % multiple != 0) return false;
            const std::vector<i64> products = likely_products(problem_size / side(i));
            if (!std::ranges::binary_search(products, samples_[i] / multiple)) return false;
        }
        return true;
    }

    [[nodiscard]] std::vector<Candidate> shares_of(int problem_size) const {
        std::vector<CellPlace> places;
        for (const CellPlace& place : all_places(in_loop_)) {
            for (const Extent extent : kExtents) {
                places.push_back(place);
                places.back().extent = extent;
            }
        }
        auto all = candidates(std::move(places), [&](const CellPlace& place, const Point& point) {
            return share_of(place, problem_size, point);
        });
        all.push_back({{}, std::vector<i64>(points_.size(), 1), true});
        return all;
    }

    void try_product(int problem_size, i64 multiple, const Candidate& a, const Candidate& b) {
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            if (samples_[i] != multiple * a.values[i] * b.values[i]) return;
        }
        Monomial product;
        for (const Candidate* share : {&a, &b}) {
            if (!share->is_one) product.factors.push_back(share_factor(share->place, problem_size));
        }
        offer({}, {{multiple, std::move(product)}});
    }

    /// Accepts a formula for all samples if it reproduces all observations.
    void offer(Formula::Term constant, std::vector<Formula::Term> terms) {
        Formula formula;
        if (!constant.coefficient.is_zero()) formula.terms.push_back(std::move(constant));
        for (Formula::Term& term : terms) formula.terms.push_back(std::move(term));
        std::vector<std::optional<u64>> said;
        for (std::size_t i = samples_.size(); i < points_.size(); ++i) {
            said.push_back(evaluate(formula, points_[i]));
        }
        if (fit_.formula && said == said_) {
            ++found_;
            return;
        }
        const bool explains = std::ranges::all_of(observations_, [&](const FitSample& observation) {
            return evaluate(formula, observation.point) == observation.value;
        });
        if (!explains) return;
        ++found_;
        if (fit_.formula) {
            fit_.rival = std::move(formula);
        } else {
            fit_.formula = std::move(formula);
            said_ = std::move(said);
        }
    }

    std::span<const FitSample> observations_;
    std::optional<int> problem_size_;
    bool in_loop_ = false;
    std::vector<Point> points_;  ///< of the samples, then of the targets
    std::vector<i64> samples_;
    std::vector<std::optional<u64>> said_;  ///< formula values at the targets
    u64 found_ = 0;                         ///< number of formulas
    std::set<int> explaining_;              ///< problem sizes
    Fit fit_;
};

}  // namespace

Fit fit_cells(std::span<const FitSample> observations, std::span<const Point> targets,
              std::optional<int> problem_size) {
    return CellSearch(observations, targets, problem_size).run();
}

}  // namespace tracefold
