// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/fit.hpp"

#include "forecast/scaling/elimination.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kMostTerms = 3;
constexpr i64 kSmall = 2;
constexpr u32 kLight = 2;
constexpr u32 kFractionWeight = 2;

std::size_t runs_of(std::span<const FitSample> observations) {
    std::unordered_set<const RankGrid*> runs;
    for (const FitSample& observation : observations) runs.insert(observation.point.grid);
    return runs.size();
}

std::size_t loops_of(std::span<const FitSample> observations) {
    std::size_t loops = 0;
    for (const FitSample& observation : observations) {
        for (std::size_t k = loops; k < Point::kLoops; ++k) {
            if (observation.point.loops[k].trips != 0) loops = k + 1;
        }
    }
    return loops;
}

/// Number of communicators that all ranks have at least.
u32 communicators_of(std::span<const FitSample> observations) {
    std::size_t least = kNone;
    for (const FitSample& observation : observations) {
        const Point& point = observation.point;
        if (point.communicators == nullptr) return 0;
        least = std::min(least, point.communicators->of(point.rank).size());
    }
    return static_cast<u32>(least);
}

/// A monomial with its values at the sampled observations; at all observations on demand.
struct Candidate {
    Monomial monomial;
    u32 weight = 0;
    std::vector<Rational> some;
    std::vector<Residue> samples;  ///< the same values as residues
    std::vector<Rational> all = {};
};

/// Searches sums of monomials that reproduce the observed numbers.
class SumSearch {
  public:
    SumSearch(std::span<const FitSample> observations, std::span<const Point> targets,
              Formula::Kind kind, bool may_share = false,
              std::optional<int> problem_size = std::nullopt)
        : observations_(observations),
          targets_(targets),
          kind_(kind),
          may_share_(may_share),
          problem_size_(problem_size),
          sampled_(choose_samples(observations.size())) {
        for (const FitSample& observation : observations) {
            values_.emplace_back(static_cast<i64>(observation.value));
        }
        for (const std::size_t at : sampled_) samples_.emplace_back(values_[at]);
    }

    Fit run() {
        if (std::ranges::all_of(values_, [&](const Rational& v) { return v == values_[0]; })) {
            return {Formula{kind_, {{values_[0], {}}}, {}, {}}, std::nullopt, {}};
        }
        const RankGrid& grid = *observations_.front().point.grid;
        add_candidates(candidate_monomials(grid.dimensions(), loops_of(observations_)));
        for (std::size_t terms = 1; terms <= kMostTerms && !fit_.formula; ++terms) {
            best_weight_ = ~u32{0};
            if (terms == kMostTerms) {
                choose_three();
            } else {
                choose({}, 0, terms, 0);
            }
            if (terms == 2 && may_share_ && (!fit_.formula || scales(*fit_.formula))) {
                weigh_shares(grid.dimensions());
            }
        }
        return fit_;
    }

  private:
    using Columns = std::vector<Candidate*>;

    /// None if the monomial is undefined at a sample.
    [[nodiscard]] std::optional<Candidate> candidate(const Monomial& monomial) const {
        Candidate made{monomial, tracefold::weight(monomial), {}, {}, {}};
        for (const std::size_t at : sampled_) {
            made.some.push_back(evaluate(monomial, observations_[at].point));
            if (!made.some.back().is_number()) return std::nullopt;
            made.samples.emplace_back(made.some.back());
        }
        return made;
    }

    const std::vector<Rational>& values_of(Candidate& candidate) const {
        if (candidate.all.empty()) {
            candidate.all.reserve(observations_.size());
            for (const FitSample& observation : observations_) {
                candidate.all.push_back(evaluate(candidate.monomial, observation.point));
            }
        }
        return candidate.all;
    }

    void add_candidates(const std::vector<Monomial>& monomials) {
        for (const Monomial& monomial : monomials) {
            auto made = candidate(monomial);
            if (made && !is_known(*made)) candidates_.push_back(std::move(*made));
        }
    }

    /// True if a lighter candidate has the same values at all relevant points.
    [[nodiscard]] bool is_known(Candidate& made) {
        return std::ranges::any_of(candidates_, [&](Candidate& other) {
            return other.some == made.some && values_of(other) == values_of(made) &&
                   std::ranges::all_of(targets_, [&](const Point& target) {
                       return evaluate(other.monomial, target) == evaluate(made.monomial, target);
                   });
        });
    }

    /// All triples would be too many: tries the constant with two others, then three light ones.
    void choose_three() {
        choose({0}, 1, kMostTerms, 0);
        if (fit_.formula) return;
        const auto heavy = std::ranges::find_if(
            candidates_, [](const Candidate& candidate) { return candidate.weight > kLight; });
        end_ = static_cast<std::size_t>(heavy - candidates_.begin());
        choose({}, 1, kMostTerms, 0);
    }

    void choose(std::vector<std::size_t> chosen, std::size_t from, std::size_t terms, u32 weight) {
        const bool is_last = chosen.size() + 1 == terms;
        std::optional<Elimination> elimination;
        if (is_last) elimination = elimination_of(chosen);
        for (std::size_t i = from; i < std::min(end_, candidates_.size()); ++i) {
            const u32 sum = weight + candidates_[i].weight;
            if (sum > best_weight_) continue;
            if (is_last && !elimination->may_be_completed_by(candidates_[i].samples)) continue;
            chosen.push_back(i);
            if (is_last) {
                attempt(chosen, sum);
            } else {
                choose(chosen, i + 1, terms, sum);
            }
            chosen.pop_back();
        }
    }

    [[nodiscard]] Elimination elimination_of(const std::vector<std::size_t>& chosen) const {
        Elimination elimination(samples_);
        for (const std::size_t i : chosen) elimination.add(candidates_[i].samples);
        return elimination;
    }

    void attempt(const std::vector<std::size_t>& chosen, u32 weight) {
        Columns columns;
        for (const std::size_t i : chosen) columns.push_back(&candidates_[i]);
        take(columns, weight);
    }

    /// Accepts the formula of these columns if it reproduces everything.
    void take(const Columns& columns, u32 weight) {
        if (!are_defined(columns)) return;
        const std::optional<std::vector<Rational>> solved = solve(columns);
        if (!solved || !explains(columns, *solved) || !is_determined(columns, *solved)) {
            return;
        }
        Formula formula;
        formula.kind = kind_;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if ((*solved)[k].is_zero() && columns.size() > 1) return;  // a simpler one suffices
            if (is_share(columns[k]->monomial) && (*solved)[k].numerator() < 0) return;
            formula.terms.push_back({(*solved)[k], columns[k]->monomial});
            if (!(*solved)[k].whole()) weight += kFractionWeight;
        }
        add(std::move(formula), weight);
    }

    /// Excludes negative multiples: a term that grows with a dimension is no share of a problem.
    static bool is_share(const Monomial& monomial) {
        return monomial.factors.size() == 1 &&
               monomial.factors[0].function == Monomial::Function::share;
    }

    [[nodiscard]] bool are_defined(const Columns& columns) const {
        return std::ranges::all_of(columns, [&](Candidate* column) {
            return std::ranges::all_of(values_of(*column), &Rational::is_number);
        });
    }

    void add(Formula formula, u32 weight) {
        ++found_;
        if (weight < best_weight_) {
            best_weight_ = weight;
            fit_ = {std::move(formula), std::nullopt, {}};
        } else if (weight == best_weight_ && !fit_.rival && !agree(*fit_.formula, formula)) {
            // Trips have a formula of their own, which a target may not follow.
            const bool is_loops = names_trips(*fit_.formula);
            if (is_loops == names_trips(formula)) {
                fit_.rival = std::move(formula);
            } else if (is_loops) {
                fit_.formula = std::move(formula);
            }
        }
    }

    static bool names_any(const Formula& formula, bool (*which)(Variable)) {
        return std::ranges::any_of(formula.terms, [&](const Formula::Term& term) {
            return std::ranges::any_of(term.monomial.factors, [&](const Monomial::Factor& factor) {
                return which(factor.variable);
            });
        });
    }
    static bool names_trips(const Formula& formula) {
        return names_any(formula, [](Variable variable) {
            return variable == Variable::trips || variable == Variable::outer_trips;
        });
    }

    [[nodiscard]] bool agree(const Formula& a, const Formula& b) const {
        return std::ranges::all_of(targets_, [&](const Point& target) {
            return evaluate(a, target) == evaluate(b, target);
        });
    }

    /// Gaussian elimination over as many observations as needed.
    [[nodiscard]] std::optional<std::vector<Rational>> solve(const Columns& columns) const {
        const std::size_t n = columns.size();
        std::vector<std::array<Rational, kMostTerms + 1>> rows;
        std::vector<std::size_t> pivots;
        for (std::size_t i = 0; i < values_.size() && rows.size() < n; ++i) {
            std::array<Rational, kMostTerms + 1> row{};
            for (std::size_t k = 0; k < n; ++k) row[k] = columns[k]->all[i];
            row[n] = values_[i];
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const Rational factor = row[pivots[r]];
                for (std::size_t k = 0; k <= n; ++k) row[k] = row[k] - factor * rows[r][k];
            }
            std::size_t pivot = 0;
            while (pivot < n && row[pivot].is_zero()) ++pivot;
            if (pivot == n) {
                if (!row[n].is_zero()) return std::nullopt;
                continue;
            }
            const Rational head = row[pivot];
            for (std::size_t k = 0; k <= n; ++k) row[k] = row[k] / head;
            for (auto& other : rows) {
                const Rational factor = other[pivot];
                for (std::size_t k = 0; k <= n; ++k) other[k] = other[k] - factor * row[k];
            }
            rows.push_back(row);
            pivots.push_back(pivot);
        }
        if (rows.size() < n) return std::nullopt;
        std::vector<Rational> solution(n);
        for (std::size_t r = 0; r < n; ++r) solution[pivots[r]] = rows[r][n];
        return solution;
    }

    [[nodiscard]] bool explains(const Columns& columns,
                                const std::vector<Rational>& coefficients) const {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            Rational sum(0);
            for (std::size_t k = 0; k < columns.size(); ++k) {
                sum = sum + coefficients[k] * columns[k]->all[i];
            }
            if (!(sum == values_[i])) return false;
        }
        return true;
    }

    /// Constants and logarithms: few runs yield few distinct values.
    static bool grows_slowly(const Monomial& monomial) {
        return std::ranges::all_of(monomial.factors, [](const Monomial::Factor& factor) {
            return factor.function == Monomial::Function::log2 ||
                   factor.function == Monomial::Function::log2_rest;
        });
    }

    /// Requires more distinct observations than unknowns; an equal number suffices for multiples of
    /// logarithms by small integers from three runs. A constant needs two runs.
    [[nodiscard]] bool is_determined(const Columns& columns,
                                     const std::vector<Rational>& coefficients) const {
        if (columns.size() == 1 && columns[0]->monomial.factors.empty()) return true;
        std::set<std::vector<std::pair<i64, i64>>> different;
        for (std::size_t i = 0; i < values_.size() && different.size() <= columns.size(); ++i) {
            std::vector<std::pair<i64, i64>> row;
            for (const Candidate* column : columns) {
                row.emplace_back(column->all[i].numerator(), column->all[i].denominator());
            }
            different.insert(std::move(row));
        }
        bool small = true;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const std::optional<i64> whole = coefficients[k].whole();
            small =
                small && whole && std::abs(*whole) <= kSmall && grows_slowly(columns[k]->monomial);
        }
        const bool three_runs = runs_of(observations_) >= 3;
        return different.size() > columns.size() ||
               (small && three_runs && different.size() == columns.size());
    }

    /// True if a formula depends on the size of the run, as shares do.
    static bool scales(const Formula& formula) {
        return names_any(formula, [](Variable variable) { return variable <= Variable::size_z; });
    }

    /// A fit to few sizes may be a share that happens to lie on a line or a hyperbola.
    void weigh_shares(std::size_t dimensions) {
        const Fit sum = std::exchange(fit_, {});
        search_shares(dimensions);
        if (!sum.formula) return;
        if (!fit_.formula) {
            fit_ = sum;
        } else if (!problem_size_ && !fit_.rival && !agree(*sum.formula, *fit_.formula)) {
            fit_.rival = sum.formula;
            fit_.problem_sizes = shared_;
        }
    }

    /// Tries multiples of the share of a dimension plus a rest.
    void search_shares(std::size_t dimensions) {
        best_weight_ = ~u32{0};
        const int first = problem_size_.value_or(2);
        const int last = problem_size_.value_or(kMostShared);
        std::set<int> found;
        for (int problem_size = first; problem_size <= last; ++problem_size) {
            if (try_share(dimensions, problem_size)) found.insert(problem_size);
        }
        if (fit_.rival) fit_.problem_sizes = found;
        shared_ = std::move(found);
    }

    /// True if the samples are linear in these shares.
    [[nodiscard]] bool is_line(Variable size, int problem_size) const {
        const Monomial::Factor share{Monomial::Function::share, size, problem_size};
        const auto x = [&](std::size_t i) {
            return share_of(share, observations_[sampled_[i]].point);
        };
        const auto y = [&](std::size_t i) {
            return static_cast<i64>(observations_[sampled_[i]].value);
        };
        const i64 x0 = x(0);
        u128 dx = 0;
        u128 dy = 0;
        for (std::size_t i = 1; i < sampled_.size(); ++i) {
            // Modulo 2^128: equal numbers remain equal.
            const auto xi = static_cast<u128>(x(i) - x0);
            const auto yi = static_cast<u128>(y(i)) - static_cast<u128>(y(0));
            if (dx * yi != dy * xi) return false;
            if (dx == 0 && xi == 0 && yi != 0) return false;
            if (dx == 0) dx = xi, dy = yi;
        }
        return true;
    }

    /// True if the numbers are shares of this problem size.
    bool try_share(std::size_t dimensions, int problem_size) {
        const u64 before = found_;
        for (std::size_t k = 0; k < dimensions; ++k) {
            const auto size = static_cast<Variable>(static_cast<std::size_t>(Variable::size_x) + k);
            if (!is_line(size, problem_size)) continue;
            auto share = candidate({{{Monomial::Function::share, size, problem_size}}});
            if (!share) continue;
            // Shares with or without a boundary term: both are possible.
            take({&*share}, 1);
            take({&candidates_.front(), &*share}, 1);
        }
        return found_ != before;
    }

    std::span<const FitSample> observations_;
    std::span<const Point> targets_;
    Formula::Kind kind_;
    bool may_share_;
    std::optional<int> problem_size_;
    std::vector<std::size_t> sampled_;  ///< indices of observations
    std::vector<Rational> values_;
    std::vector<Residue> samples_;
    std::vector<Candidate> candidates_;
    u32 best_weight_ = ~u32{0};
    std::size_t end_ = ~std::size_t{0};  ///< of the tried candidates
    u64 found_ = 0;                      ///< number of formulas
    std::set<int> shared_;               ///< problem sizes that explain the shares
    Fit fit_;
};

/// Searches a coordinate of the peers as a combination of the own coordinates.
class CoordinateSearch {
  public:
    CoordinateSearch(std::span<const FitSample> observations, std::span<const Point> targets,
                     std::size_t dimension)
        : observations_(observations), targets_(targets), dimension_(dimension) {}

    /// True if two offsets explain the observations but differ at the targets.
    [[nodiscard]] bool is_torn() const { return torn_; }

    std::optional<Formula::Coordinate> run() {
        const std::size_t n = observations_.front().point.grid->dimensions();
        for (const int index : {0, 1, -1}) {
            if (index != 0 && loops_of(observations_) == 0) break;
            for (const std::vector<int>& coefficients : combinations(n)) {
                if (auto found = with_offset({coefficients, index, 0})) return found;
            }
        }
        return std::nullopt;
    }

  private:
    /// Combinations: the own coordinate, none, another one, two.
    [[nodiscard]] std::vector<std::vector<int>> combinations(std::size_t n) const {
        std::vector<std::vector<int>> all;
        const auto unit = [n](std::size_t d, int coefficient) {
            std::vector<int> made(n, 0);
            made[d] = coefficient;
            return made;
        };
        all.push_back(unit(dimension_, 1));
        all.emplace_back(n, 0);
        for (std::size_t d = 0; d < n; ++d) {
            if (d != dimension_) all.push_back(unit(d, 1));
        }
        for (std::size_t d = 0; d < n; ++d) {
            for (const int other : {1, -1}) {
                if (d == dimension_) continue;
                std::vector<int> two = unit(dimension_, 1);
                two[d] = other;
                all.push_back(std::move(two));
            }
        }
        return all;
    }

    /// Adds the offset of the smallest amount. In a dimension of size two, one step back equals one
    /// step forward: if this matters at the targets, the result is ambiguous.
    [[nodiscard]] std::optional<Formula::Coordinate> with_offset(Formula::Coordinate coordinate) {
        const auto size_at = [&](const FitSample& observation) {
            return observation.point.grid->sizes()[dimension_];
        };
        const FitSample& widest = *std::ranges::max_element(observations_, {}, size_at);
        const i64 size = size_at(widest);
        const i64 forward =
            modulo(target(widest) - coordinate_at(coordinate, size, widest.point), size);
        std::array<i64, 2> offsets = {forward, forward - size};
        if (-offsets[1] < offsets[0]) std::swap(offsets[0], offsets[1]);
        std::optional<Formula::Coordinate> found;
        for (const i64 offset : offsets) {
            coordinate.offset = offset;
            if (!explains(coordinate)) continue;
            torn_ = torn_ || (found && found->offset == -offset && !agree(*found, coordinate));
            if (!found) found = coordinate;
        }
        return found;
    }

    [[nodiscard]] bool agree(const Formula::Coordinate& a, const Formula::Coordinate& b) const {
        return std::ranges::all_of(targets_, [&](const Point& point) {
            return modulo(a.offset - b.offset, point.grid->sizes()[dimension_]) == 0;
        });
    }

    [[nodiscard]] i64 target(const FitSample& observation) const {
        const u64 peer = observation.value + observation.point.rank;
        return static_cast<i64>(observation.point.grid->coordinate(dimension_, peer));
    }

    [[nodiscard]] bool explains(const Formula::Coordinate& coordinate) const {
        return std::ranges::all_of(observations_, [&](const FitSample& observation) {
            const i64 size = observation.point.grid->sizes()[dimension_];
            return coordinate_at(coordinate, size, observation.point) == target(observation);
        });
    }

    std::span<const FitSample> observations_;
    std::span<const Point> targets_;
    std::size_t dimension_;
    bool torn_ = false;
};

Fit fit_place(std::span<const FitSample> observations, std::span<const Point> targets) {
    Formula formula;
    formula.kind = Formula::Kind::place;
    Fit fit;
    const std::size_t dimensions = observations.front().point.grid->dimensions();
    for (std::size_t d = 0; d < dimensions; ++d) {
        CoordinateSearch search(observations, targets, d);
        auto coordinate = search.run();
        if (!coordinate) return {};
        formula.place.push_back(*coordinate);
        if (!search.is_torn()) continue;
        fit.rival = formula;
        fit.rival->place.back().offset = -coordinate->offset;
    }
    fit.formula = std::move(formula);
    if (fit.rival) {
        fit.rival->place.resize(dimensions, fit.formula->place.back());
    }
    return fit;
}

/// A constant plus a multiple of a rule by which programs split communicators: modulo, blocks of
/// some ranks, equal parts, a part of the number of ranks; or the id of a communicator. All rules
/// that reproduce the observations must agree at the targets.
Fit fit_rule(std::span<const FitSample> observations, std::span<const Point> targets) {
    constexpr int kMostParts = 16;
    Fit fit;
    const auto try_rule = [&](const Monomial& rule) {
        const auto at = [&](const FitSample& sample) {
            return *evaluate(rule, sample.point).whole();
        };
        const FitSample& first = observations.front();
        const auto other = std::ranges::find_if(
            observations, [&](const FitSample& sample) { return at(sample) != at(first); });
        if (other == observations.end()) return;
        // A line through two numbers says nothing.
        const bool of_runs = rule.factors.front().variable == Variable::ranks;
        if (of_runs && std::ranges::all_of(observations, [&](const FitSample& sample) {
                return at(sample) == at(first) || at(sample) == at(*other);
            })) {
            return;
        }
        const auto rise = static_cast<i64>(other->value - first.value);
        const Rational slope(rise, at(*other) - at(first));
        const Rational offset = Rational(static_cast<i64>(first.value)) - slope * at(first);
        Formula formula;
        formula.terms = {{offset, {}}, {slope, rule}};
        const auto holds = [&](const FitSample& sample) {
            return evaluate(formula, sample.point) == sample.value;
        };
        if (!std::ranges::all_of(observations, holds)) return;
        const auto agrees = [&](const Point& target) {
            return evaluate(formula, target) == evaluate(*fit.formula, target);
        };
        if (!fit.formula) {
            fit.formula = std::move(formula);
        } else if (!fit.rival && !std::ranges::all_of(targets, agrees)) {
            fit.rival = std::move(formula);
        }
    };
    if (observations.front().point.communicator != 0) {
        try_rule({{{Monomial::Function::power, Variable::communicator, 1}}});
    }
    for (int parts = 2; parts <= kMostParts; ++parts) {
        for (const auto function :
             {Monomial::Function::remainder, Monomial::Function::block, Monomial::Function::part})
            try_rule({{{function, Variable::rank, parts}}});
        for (int offset = 0; offset < parts; ++offset)
            try_rule({{{Monomial::Function::block, Variable::ranks, parts, {}, {}, offset}}});
    }
    return fit;
}

}  // namespace

bool is_possible(const Formula& formula, std::span<const Point> targets) {
    return std::ranges::all_of(
        targets, [&](const Point& target) { return evaluate(formula, target).has_value(); });
}

namespace {

/// Number of things of the share in a sum; 0: there is none.
int things_of(const Formula& formula) {
    for (const Formula::Term& term : formula.terms) {
        for (const Monomial::Factor& factor : term.monomial.factors) {
            if (factor.function == Monomial::Function::share) return factor.parameter;
        }
    }
    return 0;
}

}  // namespace

std::vector<std::size_t> choose_samples(std::size_t observations) {
    constexpr std::size_t kSamples = 24;  // coprime to 7
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < std::min(observations, kSamples); ++i) {
        const bool all = observations <= kSamples;
        chosen.push_back(all ? i : (i * 7 % kSamples) * (observations - 1) / (kSamples - 1));
    }
    return chosen;
}

Fit fit_number(std::span<const FitSample> observations, std::span<const Point> targets,
               std::optional<int> problem_size, u64 element,
               std::optional<Distribution> distribution) {
    if (observations.empty() || runs_of(observations) < 2) return {};
    const auto in_elements = [element](Fit fit) {
        if (fit.formula) fit.formula->element = element;
        if (fit.rival) fit.rival->element = element;
        return fit;
    };
    Fit sum = in_elements(
        SumSearch(observations, targets, Formula::Kind::number,
                  distribution.value_or(Distribution::first) == Distribution::first, problem_size)
            .run());
    if (sum.formula) {
        const int things = things_of(*sum.formula);
        const bool is_sure = is_possible(*sum.formula, targets) && (things == 0 || distribution);
        if (sum.rival || is_sure) return sum;
        Fit blocks = fit_blocks(observations, targets, problem_size, element, distribution);
        if (things == 0) return blocks.is_certain() ? blocks : sum;
        // Another distribution may explain the same numbers.
        if (!blocks.formula) return sum;
        const auto agrees = [&](const Point& target) {
            return evaluate(*sum.formula, target) == evaluate(*blocks.formula, target);
        };
        if (blocks.is_certain() && std::ranges::all_of(targets, agrees)) return sum;
        sum.rival =
            blocks.rival && std::ranges::all_of(targets, agrees) ? blocks.rival : blocks.formula;
        sum.problem_sizes = std::move(blocks.problem_sizes);
        sum.problem_sizes.insert(things);
        return sum;
    }
    Fit cells = in_elements(fit_cells(observations, targets, problem_size));
    if (cells.formula) return cells;
    Fit rule = in_elements(fit_rule(observations, targets));
    if (rule.is_certain()) return rule;
    Fit blocks = fit_blocks(observations, targets, problem_size, element, distribution);
    if (!rule.formula && blocks.is_certain()) return blocks;
    const auto within_it = [&](const auto& inner, const auto& inner_targets) {
        Fit size = in_elements(SumSearch(inner, inner_targets, Formula::Kind::number).run());
        if (size.formula && is_possible(*size.formula, inner_targets)) return size;
        Fit other = in_elements(fit_rule(inner, inner_targets));
        if (!other.formula)
            other = fit_blocks(inner, inner_targets, problem_size, element, distribution);
        return other.is_certain() || !size.formula ? other : size;
    };
    for (u32 which = 0; which < communicators_of(observations); ++which) {
        Fit fit = fit_within(observations, targets, which, within_it);
        if (fit.is_certain()) return fit;
    }
    return rule.formula ? rule : blocks;
}

Fit fit_within(std::span<const FitSample> observations, std::span<const Point> targets, u32 which,
               const FitSearch& search) {
    std::vector<FitSample> inner;
    std::vector<Point> inner_targets;
    for (const FitSample& sample : observations) {
        const std::optional<Point> point = within(sample.point, which);
        if (!point) return {};
        inner.push_back({*point, sample.value});
    }
    for (const Point& target : targets) {
        const std::optional<Point> point = within(target, which);
        if (!point) return {};
        inner_targets.push_back(*point);
    }
    Fit fit = search(inner, inner_targets);
    if (fit.formula) fit.formula->communicator = which;
    if (fit.rival) fit.rival->communicator = which;
    return fit;
}

Fit fit_communicator(std::span<const FitSample> observations, std::span<const Point> targets) {
    const auto id = [](const auto& inner, const auto&) {
        Formula formula;
        formula.terms = {{1, {{{Monomial::Function::power, Variable::communicator, 1}}}}};
        const auto holds = [](const FitSample& sample) {
            return sample.value == sample.point.communicator;
        };
        return std::ranges::all_of(inner, holds) ? Fit{std::move(formula), {}, {}} : Fit{};
    };
    for (u32 which = 0; which < communicators_of(observations); ++which) {
        if (Fit fit = fit_within(observations, targets, which, id); fit.formula) return fit;
    }
    return {};
}

Fit fit_peer(std::span<const FitSample> observations, std::span<const Point> targets) {
    if (observations.empty() || runs_of(observations) < 2) return {};
    if (Fit place = fit_place(observations, targets); place.formula) return place;
    std::vector<FitSample> recoded(observations.begin(), observations.end());
    for (std::size_t i = 0; i < recoded.size(); ++i) {
        recoded[i].value = (observations[i].value + recoded[i].point.rank) ^ recoded[i].point.rank;
    }
    Fit fit = SumSearch(recoded, targets, Formula::Kind::exclusive_or).run();
    if (fit.is_certain()) return fit;
    for (std::size_t i = 0; i < recoded.size(); ++i) {
        recoded[i].value = observations[i].value + recoded[i].point.rank;
    }
    fit = SumSearch(recoded, targets, Formula::Kind::absolute).run();
    if (fit.is_certain()) return fit;
    return SumSearch(observations, targets, Formula::Kind::number).run();
}

}  // namespace tracefold
