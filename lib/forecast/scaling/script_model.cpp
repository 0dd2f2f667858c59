// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/script_model.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// The numbers of one place or argument in all examples.
struct Series {
    struct Number {
        Visit visit;
        u64 value = 0;
    };
    std::vector<std::vector<Number>> of;  ///< by example
};

/// True if all examples visit the place in the same iterations with the same numbers.
bool are_equal(const Series& series) {
    const auto same = [](const Series::Number& a, const Series::Number& b) {
        return a.visit == b.visit && a.value == b.value;
    };
    return std::ranges::all_of(series.of, [&](const auto& numbers) {
        return std::ranges::equal(numbers, series.of.front(), same);
    });
}

bool are_constant(const Series& series) {
    const Series::Number* first = nullptr;
    for (const auto& numbers : series.of) {
        for (const Series::Number& number : numbers) {
            if (first == nullptr) first = &number;
            if (number.value != first->value) return false;
        }
    }
    return true;
}

struct FitFailed {
    Refusal refusal;
};

bool are_constant(const std::vector<FitSample>& observations) {
    return std::ranges::all_of(observations, [&](const FitSample& observation) {
        return observation.value == observations.front().value;
    });
}

class ScriptFitter {
  public:
    ScriptFitter(const std::vector<Example>& examples, const CallTypes& kinds,
                 const FitOptions& options)
        : examples_(examples), kinds_(kinds), options_(options) {
        model_.tree = examples.front().script->tree;
        model_.places.resize(model_.tree.places.size());
    }

    std::variant<ScriptModel, Refusal> run() {
        try {
            fit_places(model_.tree.root,
                       std::vector<std::vector<Visit>>(examples_.size(), {Visit{}}));
        } catch (FitFailed& failed) {
            failed.refusal.places = done_;
            return std::move(failed.refusal);
        }
        return std::move(model_);
    }

  private:
    using Visits = std::vector<std::vector<Visit>>;  ///< by example

    void fit_places(const std::vector<u32>& places, const Visits& visits) {
        for (const u32 place : places) {
            fit_count(place, visits);
            const ScriptTree::Place& at = model_.tree.places[place];
            if (at.call != kNone) {
                fit_arguments(place, visits);
                ++done_;
            } else {
                fit_places(at.body, inner_visits(place, visits));
            }
        }
    }

    [[nodiscard]] std::string name_of(u32 place) const {
        const ScriptTree::Place& at = model_.tree.places[place];
        if (at.call != kNone) return kinds_[at.call].name;
        return at.body.empty() ? "a loop" : "the loop that begins with " + name_of(at.body.front());
    }

    [[nodiscard]] std::string count_name(u32 place) const {
        u32 first = place;
        while (model_.tree.places[first].call == kNone && !model_.tree.places[first].body.empty()) {
            first = model_.tree.places[first].body.front();
        }
        const u32 call = model_.tree.places[first].call;
        if (call != kNone && kinds_[call].definition)
            return kinds_[call].name + " defined in a row";
        return name_of(place) + ", execution count";
    }

    void fit_count(u32 place, const Visits& visits) {
        Series series;
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            auto& numbers = series.of.emplace_back();
            for (std::size_t v = 0; v < visits[e].size(); ++v) {
                numbers.push_back({visits[e][v], examples_[e].script->counts[place][v]});
            }
        }
        ScriptModel::Numbers& count = model_.places[place].count;
        count.is_fixed = are_equal(series) || are_constant(series);
        fit(series, {}, count, [&] { return count_name(place); });
        check_room(count, visits, place);
    }

    void check_room(const ScriptModel::Numbers& count, const Visits& visits, u32 place) const {
        if (count.is_fixed) return;
        for (const auto& of_example : visits) {
            if (std::ranges::all_of(of_example, &Visit::has_room)) continue;
            throw FitFailed{{name_of(place),
                             "more than two loops around it iterate differently "
                             "often from rank to rank or run to run"}};
        }
    }

    [[nodiscard]] Visits inner_visits(u32 place, const Visits& visits) const {
        Visits inner(examples_.size());
        const bool is_fixed = model_.places[place].count.is_fixed;
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            for (std::size_t v = 0; v < visits[e].size(); ++v) {
                const u64 trips = examples_[e].script->counts[place][v];
                for (u64 i = 0; i < trips; ++i) {
                    inner[e].push_back(visits[e][v].within(is_fixed, i, trips));
                }
            }
        }
        return inner;
    }

    void fit_arguments(u32 place, const Visits& visits) {
        const CallType& kind = kinds_[model_.tree.places[place].call];
        const Visits calls = inner_visits(place, visits);
        std::vector<std::vector<std::size_t>> positions = first_values(place);
        model_.places[place].arguments.resize(kind.arguments.size());
        std::vector<Series> all;
        Series counts;
        for (std::size_t k = 0; k < kind.arguments.size(); ++k) {
            const CallType::Argument& argument = kind.arguments[k];
            ScriptModel::Numbers& numbers = model_.places[place].arguments[k];
            const bool each = argument.shape == SlotShape::each;
            const bool fixed_count =
                each && model_.places[place].arguments[count_of(kind, k)].is_fixed;
            Series series =
                each ? elements(counts, positions, fixed_count) : singles(calls, positions);
            numbers.is_fixed = are_equal(series) || are_constant(series);
            if (argument.shape == SlotShape::count) counts = series;
            all.push_back(std::move(series));
        }
        auto failed = fit_all(place, all, false);
        if (!failed) return;
        const u64 moved = sort_receives(place, kind, all);
        if (moved != 0) failed = fit_all(place, all, false);
        if (failed && options_.may_approximate) failed = fit_all(place, all, true);
        if (failed) throw FitFailed(std::move(*failed));
        model_.reordered += moved;
    }

    /// Fits all arguments; returns the failure, if any.
    std::optional<FitFailed> fit_all(u32 place, const std::vector<Series>& all,
                                     bool approximately) {
        try {
            for (u32 k = 0; k < all.size(); ++k) fit_argument(place, k, all, approximately);
        } catch (FitFailed& failed) {
            return std::move(failed);
        }
        return std::nullopt;
    }

    /// Consecutively posted wildcard receives complete in arrival order: sorts their messages.
    /// Returns the number of moved receives.
    u64 sort_receives(u32 place, const CallType& kind, std::vector<Series>& all) const {
        std::vector<std::size_t> late;
        for (std::size_t k = 0; k < kind.arguments.size(); ++k) {
            if (kind.arguments[k].late) late.push_back(k);
        }
        if (late.empty()) return 0;
        u64 moved = 0;
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            std::size_t first = 0;
            for (const u64 count : examples_[e].script->counts[place]) {
                moved += sort_group(late, e, first, count, all);
                first += count;
            }
        }
        return moved;
    }

    static u64 sort_group(const std::vector<std::size_t>& late, std::size_t example,
                          std::size_t first, u64 count, std::vector<Series>& all) {
        std::vector<std::vector<i64>> rows(count);
        for (u64 i = 0; i < count; ++i) {
            for (const std::size_t k : late) {
                rows[i].push_back(static_cast<i64>(all[k].of[example][first + i].value));
            }
        }
        std::vector<std::vector<i64>> sorted = rows;
        std::ranges::sort(sorted);
        u64 moved = 0;
        for (u64 i = 0; i < count; ++i) {
            moved += rows[i] == sorted[i] ? 0 : 1;
            for (std::size_t k = 0; k < late.size(); ++k) {
                all[late[k]].of[example][first + i].value = static_cast<u64>(sorted[i][k]);
            }
        }
        return moved;
    }

    static std::size_t count_of(const CallType& kind, std::size_t k) {
        while (kind.arguments[k].shape != SlotShape::count) --k;
        return k;
    }

    /// By example and call: index of its first value.
    [[nodiscard]] std::vector<std::vector<std::size_t>> first_values(u32 place) const {
        std::vector<std::vector<std::size_t>> positions(examples_.size());
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            const FoldedSequence& script = *examples_[e].script;
            for (std::size_t v = 0; v < script.counts[place].size(); ++v) {
                for (u64 i = 0; i < script.counts[place][v]; ++i) {
                    positions[e].push_back(script.sequence->first[script.first_call[place][v] + i]);
                }
            }
        }
        return positions;
    }

    /// One value per call.
    Series singles(const Visits& calls, std::vector<std::vector<std::size_t>>& positions) const {
        Series series;
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            auto& numbers = series.of.emplace_back();
            const std::vector<u64>& values = examples_[e].script->sequence->values;
            for (std::size_t c = 0; c < calls[e].size(); ++c) {
                numbers.push_back({calls[e][c], values[positions[e][c]++]});
            }
        }
        return series;
    }

    /// As many values per call as its count says.
    Series elements(const Series& counts, std::vector<std::vector<std::size_t>>& positions,
                    bool fixed_count) const {
        Series series;
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            auto& numbers = series.of.emplace_back();
            const std::vector<u64>& values = examples_[e].script->sequence->values;
            for (std::size_t c = 0; c < counts.of[e].size(); ++c) {
                const auto& [visit, size] = counts.of[e][c];
                for (u64 i = 0; i < size; ++i) {
                    numbers.push_back(
                        {visit.within(fixed_count, i, size), values[positions[e][c]++]});
                }
            }
        }
        return series;
    }

    void fit_argument(u32 place, u32 k, const std::vector<Series>& all, bool approximately) {
        const Series& series = all[k];
        const u32 call = model_.tree.places[place].call;
        const CallType& kind = kinds_[call];
        const CallType::Argument& argument = kind.arguments[k];
        ScriptModel::Numbers& numbers = model_.places[place].arguments[k];
        numbers.formulas.clear();
        numbers.edges.clear();
        if (options_.is_free && options_.is_free(kind, argument)) {
            take_last(series, numbers);
            return;
        }
        try {
            fit(series, meaning_of(call, k, all), numbers,
                [&] { return kind.name + ", " + argument.name; });
        } catch (const FitFailed&) {
            if (!approximately || argument.kind != FieldKind::bytes) throw;
            approximate(place, k, series, numbers);
        }
        if (options_.may_approximate && argument.kind == FieldKind::bytes) {
            round_impossible(place, k, series, numbers);
        }
    }

    /// What the numbers of a series are.
    struct Meaning {
        enum class Kind : u8 { number, peer, communicator };
        Kind kind = Kind::number;
        u32 communicator = kNone;  ///< of peers: number among those of the rank; kNone: all ranks
        u64 element = 1;           ///< of sizes: bytes that divide all of them
    };

    /// Peers in unknown communicators are numbers.
    [[nodiscard]] Meaning meaning_of(u32 call, u32 k, const std::vector<Series>& all) const {
        const std::vector<CallType::Argument>& arguments = kinds_[call].arguments;
        const bool maps = kinds_[call].definition == DefinitionType::MappingTable;
        if (maps || arguments[k].kind == FieldKind::comm) return {Meaning::Kind::communicator};
        if (arguments[k].kind == FieldKind::bytes) return {.element = element_of(all[k])};
        if (arguments[k].kind != FieldKind::peer) return {};
        if (are_of_world(call, k)) return {Meaning::Kind::peer};
        for (std::size_t other = 0; other < arguments.size(); ++other) {
            if (arguments[other].element != arguments[k].element ||
                arguments[other].kind != FieldKind::comm) {
                continue;
            }
            const u32 which = communicator_of(all[other]);
            if (which != kNone) return {Meaning::Kind::peer, which};
        }
        return {};
    }

    /// The largest power of two that divides all sizes, up to that of a double; 1 if all are zero.
    static u64 element_of(const Series& sizes) {
        u64 element = 8;
        bool has_any = false;
        for (const auto& numbers : sizes.of) {
            for (const Series::Number& number : numbers) {
                element = std::gcd(element, number.value);
                has_any = has_any || number.value != 0;
            }
        }
        return has_any ? element : 1;
    }

    /// Number of the communicator that the local ids of all examples mean; kNone: there is none.
    [[nodiscard]] u32 communicator_of(const Series& ids) const {
        for (u32 which = 0;; ++which) {
            bool holds = true;
            for (std::size_t e = 0; e < examples_.size(); ++e) {
                if (examples_[e].communicators == nullptr) return kNone;
                const auto& all = examples_[e].communicators->of(examples_[e].rank);
                if (which >= all.size()) return kNone;
                holds = holds && std::ranges::all_of(ids.of[e], [&](const Series::Number& id) {
                            return id.value == all[which].local_id;
                        });
            }
            if (holds) return which;
        }
    }

    [[nodiscard]] FitSample sample_of(std::size_t example, const Series::Number& number) const {
        const Example& at = examples_[example];
        return {{at.grid, at.rank, number.visit.loops, at.communicators}, number.value};
    }

    /// True if peers are world ranks in all examples.
    [[nodiscard]] bool are_of_world(u32 call, u32 k) const {
        return std::ranges::all_of(examples_, [&](const Example& example) {
            const auto& views = example.script->sequence->views;
            if (call >= views.size() || k >= views[call].size()) return false;
            const PeerView& view = views[call][k];
            return view.usable && view.rank == example.rank &&
                   view.size == example.grid->participants();
        });
    }

    void take_last(const Series& series, ScriptModel::Numbers& numbers) {
        for (const Series::Number& number : series.of.back()) {
            if (numbers.formulas.contains(number.visit.key)) continue;
            Formula constant;
            constant.terms.push_back({Rational(static_cast<i64>(number.value)), {}});
            numbers.formulas.emplace(number.visit.key, keep(std::move(constant)));
        }
    }

    template <class Name>
    void fit(const Series& series, Meaning meaning, ScriptModel::Numbers& numbers,
             const Name& name) {
        std::map<u64, std::vector<FitSample>> by_key;
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            for (const Series::Number& number : series.of[e]) {
                by_key[number.visit.key].push_back(sample_of(e, number));
            }
        }
        for (const auto& [key, observations] : by_key) {
            Fit fit;
            auto formula = formula_of(observations, meaning, fit);
            if (!formula && !fit_edges(key, observations, meaning, numbers)) {
                throw FitFailed{failure(name(), fit, observations, meaning)};
            }
            if (formula) numbers.formulas.emplace(key, *formula);
        }
    }

    [[nodiscard]] std::vector<Point> targets_at(const Visit& visit) const {
        std::vector<Point> targets = options_.targets;
        for (Point& target : targets) target.loops = visit.loops;
        return targets;
    }

    /// Rounds formulas that divide elements of the requested run.
    void round_impossible(u32 place, u32 k, const Series& series, ScriptModel::Numbers& numbers) {
        std::map<u64, Visit> visits;
        for (const auto& of_example : series.of) {
            for (const Series::Number& number : of_example)
                visits[numbers.key_of(number.visit)] = number.visit;
        }
        for (auto& [key, index] : numbers.formulas) {
            if (is_possible(model_.formulas[index], targets_at(visits[key]))) continue;
            Formula formula = model_.formulas[index];
            formula.rounded = true;
            add_approximation(place, k, to_text(formula), 0);
            index = keep(std::move(formula));
        }
    }

    void add_approximation(u32 place, u32 k, std::string formula, double error) {
        const u32 call = model_.tree.places[place].call;
        const CallType& kind = kinds_[call];
        model_.approximations.push_back(
            {kind.name + ", " + kind.arguments[k].name, call, k, std::move(formula), error});
    }

    /// The mean of each run as a function of the number of ranks. Both sides of a message have the
    /// same mean, since all ranks of a class send and receive it.
    void approximate(u32 place, u32 k, const Series& series, ScriptModel::Numbers& numbers) {
        std::map<u64, std::map<u64, std::pair<double, u64>>> sums;  // by key, ranks
        for (std::size_t e = 0; e < examples_.size(); ++e) {
            for (const Series::Number& number : series.of[e]) {
                auto& [sum, count] = sums[number.visit.key][examples_[e].grid->participants()];
                sum += static_cast<double>(number.value);
                ++count;
            }
        }
        numbers = {{}, {}, numbers.is_fixed};
        for (const auto& [key, runs] : sums) {
            std::vector<Measurement> means;
            for (const auto& [ranks, sum] : runs) {
                means.push_back(
                    {static_cast<double>(ranks), sum.first / static_cast<double>(sum.second)});
            }
            Formula formula;
            formula.kind = Formula::Kind::approximate;
            formula.growth = fit_growth(means);
            formula.element = element_of(series);
            add_approximation(place, k, to_text(formula.growth, "P"), formula.growth.error);
            numbers.formulas.emplace(key, keep(std::move(formula)));
        }
    }

    /// One formula for the first or last iteration, another for the rest.
    bool fit_edges(u64 key, const std::vector<FitSample>& observations, Meaning meaning,
                   ScriptModel::Numbers& numbers) {
        if (observations.front().point.loops[0].trips == 0) return false;
        for (const EdgeIteration edge : {EdgeIteration::last, EdgeIteration::first,
                                         EdgeIteration::outer_first, EdgeIteration::outer_last}) {
            std::map<u64, std::vector<FitSample>> parts;
            for (const FitSample& observation : observations) {
                const Visit visit{key, observation.point.loops};
                parts[visit.key_at(edge)].push_back(observation);
            }
            if (parts.size() != 2) continue;
            std::vector<std::pair<u64, u32>> found;
            for (const auto& [part, some] : parts) {
                Fit fit;
                const auto formula = formula_of(some, meaning, fit);
                if (!formula) break;
                found.emplace_back(part, *formula);
            }
            if (found.size() != parts.size()) continue;
            numbers.edges.emplace(key, edge);
            numbers.formulas.insert(found.begin(), found.end());
            return true;
        }
        return false;
    }

    std::optional<u32> formula_of(const std::vector<FitSample>& observations, Meaning meaning,
                                  Fit& fit) {
        const std::vector<Point> targets = targets_at({0, observations.back().point.loops});
        const ContentHash content = hash(observations, targets, meaning);
        const auto known = known_.find(content);
        if (known != known_.end()) return known->second;
        fit = options_.memo->fit(content, [&] { return search(observations, targets, meaning); });
        if (!fit.is_certain()) return std::nullopt;
        return known_[content] = keep(*fit.formula);
    }

    [[nodiscard]] Fit search(const std::vector<FitSample>& observations,
                             const std::vector<Point>& targets, Meaning meaning) const {
        if (meaning.kind == Meaning::Kind::peer) {
            return meaning.communicator == kNone
                       ? fit_peer(observations, targets)
                       : fit_within(observations, targets, meaning.communicator, fit_peer);
        }
        if (meaning.kind == Meaning::Kind::communicator && !are_constant(observations)) {
            if (Fit found = fit_communicator(observations, targets); found.formula) return found;
        }
        return fit_number(observations, targets, options_.problem_size, meaning.element,
                          options_.distribution);
    }

    [[nodiscard]] ContentHash hash(const std::vector<FitSample>& observations,
                                   const std::vector<Point>& targets, Meaning meaning) const {
        std::vector<u64> numbers = {
            static_cast<u64>(meaning.kind), meaning.communicator, meaning.element,
            static_cast<u64>(options_.problem_size.value_or(0)) << 8U |
                (options_.distribution ? static_cast<u64>(*options_.distribution) : kDistributions),
            targets.size()};
        for (const Point& target : targets) {
            append(target, numbers);
            append_communicators(target, numbers);
        }
        const RankGrid* run = nullptr;  // several runs may share a grid
        for (const FitSample& observation : observations) {
            append(observation.point, numbers);
            numbers.push_back(observation.point.grid == run ? 0 : 1);
            numbers.push_back(observation.value);
            run = observation.point.grid;
        }
        return content_hash(numbers);
    }

    static void append(const Point& point, std::vector<u64>& numbers) {
        const std::vector<u32>& sizes = point.grid->sizes();
        numbers.push_back(sizes.size());
        numbers.insert(numbers.end(), sizes.begin(), sizes.end());
        numbers.push_back(point.rank);
        for (const Point::Loop& loop : point.loops) numbers.push_back(loop.packed());
    }

    static void append_communicators(const Point& point, std::vector<u64>& numbers) {
        if (point.communicators == nullptr) return;
        for (const RankCommunicators::Membership& at : point.communicators->of(point.rank)) {
            numbers.insert(numbers.end(), {at.id, at.rank, at.grid->participants()});
        }
    }

    /// Names the smallest run that contradicts the formula of the smaller ones; else some numbers
    /// that differ.
    Refusal failure(const std::string& name, const Fit& fit,
                    const std::vector<FitSample>& observations, Meaning meaning) {
        Refusal refusal{name, {}, 0, fit.problem_sizes};
        if (fit.rival) {
            refusal.why = fmt::format("{} and {} explain it equally well", to_text(*fit.formula),
                                      to_text(*fit.rival));
            return refusal;
        }
        std::vector<std::size_t> runs = {0};  // the first observation of each run
        for (std::size_t i = 1; i < observations.size(); ++i) {
            if (observations[i].point.grid != observations[i - 1].point.grid) runs.push_back(i);
        }
        for (std::size_t run = 2; run < runs.size() && refusal.why.empty(); ++run) {
            contradict(observations, runs[run], meaning, refusal);
        }
        if (refusal.why.empty()) name_some(observations, runs, meaning, refusal);
        return refusal;
    }

    /// The first number that the formula of all numbers before `first` does not give.
    void contradict(const std::vector<FitSample>& observations, std::size_t first, Meaning meaning,
                    Refusal& refusal) {
        const std::vector<FitSample> known(observations.begin(),
                                           observations.begin() + static_cast<long>(first));
        const Fit& fit = options_.memo->fit(hash(known, {}, meaning),
                                            [&] { return search(known, {}, meaning); });
        if (!fit.formula) return;
        for (std::size_t i = first; i < observations.size(); ++i) {
            const FitSample& other = observations[i];
            const auto expected = evaluate(*fit.formula, other.point);
            if (expected == other.value) continue;
            add_value(other, meaning, refusal);
            refusal.why = fmt::format(
                "{} in the runs of fewer ranks gives {}, but it is {}", to_text(*fit.formula),
                expected ? shown(*expected, other.point, meaning) : "nothing there",
                text_of(other, meaning));
            return;
        }
    }

    /// Names a number of each of the first three runs, preferably different ones.
    static void name_some(const std::vector<FitSample>& observations,
                          const std::vector<std::size_t>& runs, Meaning meaning, Refusal& refusal) {
        constexpr std::size_t kMostNamed = 3;
        std::string text;
        const auto add = [&](const FitSample& sample) {
            add_value(sample, meaning, refusal);
            text += (text.empty() ? "" : ", ") + text_of(sample, meaning);
        };
        add(observations.front());
        for (std::size_t run = 1; run < std::min(runs.size(), kMostNamed); ++run) {
            const auto end = run + 1 < runs.size()
                                 ? observations.begin() + static_cast<long>(runs[run + 1])
                                 : observations.end();
            const auto begin = observations.begin() + static_cast<long>(runs[run]);
            const auto other = std::find_if(begin, end, [&](const FitSample& sample) {
                return sample.value != observations.front().value;
            });
            add(other == end ? *begin : *other);
        }
        if (runs.size() > 2) {
            refusal.why = "no formula gives " + text;
            return;
        }
        if (runs.size() == 1) {
            const auto other = std::ranges::find_if(observations, [&](const FitSample& sample) {
                return sample.value != observations.front().value;
            });
            if (other != observations.end()) add(*other);
        }
        refusal.why = fmt::format("{}: {}; runs of more sizes are needed", text,
                                  runs.size() == 1 ? "no other run has it"
                                                   : "no simple formula gives the numbers of two "
                                                     "runs, and others would be guesses");
    }

    static void add_value(const FitSample& sample, Meaning meaning, Refusal& refusal) {
        refusal.values.push_back({sample.point.grid->participants(), sample.point.rank,
                                  value_of(sample.value, sample.point, meaning)});
    }

    /// Peers as ranks.
    static i64 value_of(u64 value, const Point& point, Meaning meaning) {
        if (meaning.kind != Meaning::Kind::peer) return static_cast<i64>(value);
        const std::optional<Point> inner =
            meaning.communicator == kNone ? point : within(point, meaning.communicator);
        return static_cast<i64>(value + inner->rank);
    }
    static std::string shown(u64 value, const Point& point, Meaning meaning) {
        const char* const what = meaning.kind == Meaning::Kind::communicator ? "communicator "
                                 : meaning.kind == Meaning::Kind::peer       ? "rank "
                                                                             : "";
        return fmt::format("{}{}", what, value_of(value, point, meaning));
    }

    /// "rank 3 on rank 0 of 9, iteration 2 of 4"; of definitions of all ranks "3 in the run of 9".
    static std::string text_of(const FitSample& sample, Meaning meaning) {
        const Point& point = sample.point;
        std::string text =
            shown(sample.value, point, meaning) +
            (point.communicators == nullptr ? " in the run of "
                                            : fmt::format(" on rank {} of ", point.rank)) +
            std::to_string(point.grid->participants());
        if (point.loops[0].trips != 0) {
            text +=
                fmt::format(", iteration {} of {}", point.loops[0].index + 1, point.loops[0].trips);
        }
        return text;
    }

    u32 keep(Formula formula) {
        model_.formulas.push_back(std::move(formula));
        return static_cast<u32>(model_.formulas.size() - 1);
    }

    const std::vector<Example>& examples_;
    const CallTypes& kinds_;
    const FitOptions& options_;
    ScriptModel model_;
    std::map<ContentHash, u32> known_;
    std::size_t done_ = 0;
};

}  // namespace

std::variant<ScriptModel, Refusal> fit_script(const std::vector<Example>& examples,
                                              const CallTypes& kinds, const FitOptions& options) {
    return ScriptFitter(examples, kinds, options).run();
}

}  // namespace tracefold
