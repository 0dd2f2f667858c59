// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/class_models.hpp"

#include "base/error.hpp"
#include "forecast/scaling/script_generator.hpp"
#include "forecast/scaling/script_model.hpp"
#include "model/symbol.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/core.h>

namespace tracefold {

/// A target rank belongs to a class without an example.
Refusal no_example(u32 rank);

/// Two ranks of a run that should be alike differ; reports the first differing call.
Refusal differ(const Example& a, const Example& b, const CallTypes& kinds);

/// A rank deviates from the model of its class; `what`: "MPI_Isend, receiver".
Refusal differ_from_model(const std::string& what, u32 rank, u32 ranks);

/// Too few runs (`runs`) contain a rank with this behaviour. `other`: a rank of a smaller run that
/// behaves differently, to report the first differing call; may be null.
Refusal too_few_runs(const Example& example, std::size_t runs, const Example* other,
                     const CallTypes& kinds);

namespace {

constexpr std::size_t kMostExamples = 8;  ///< per run, of identical ranks
constexpr std::size_t kMostTargets = 8;

/// The first differing argument of a call; with equal counts, both have all values.
const CallType::Argument* different_argument(const CallType& kind, const u64* made,
                                             const u64* recorded, const FitOptions& options,
                                             bool any_order) {
    SlotValues slot_values;
    for (const CallType::Argument& argument : kind.arguments) {
        const std::size_t count = slot_values.count(argument.shape, recorded);
        const bool is_free = (any_order && argument.late && argument.shape != SlotShape::count) ||
                             (options.is_free && options.is_free(kind, argument));
        if (!is_free && !std::equal(made, made + count, recorded)) return &argument;
        made += count;
        recorded += count;
    }
    return nullptr;
}

/// The first difference of two sequences, as "MPI_Isend, receiver"; none if calls and arguments are
/// equal. Ignores free arguments (FitOptions::is_free) and, with `any_order`, those known only at
/// completion. Cost: linear in the values.
std::optional<std::string> first_difference(const CallSequence& made, const CallSequence& recorded,
                                            const CallTypes& kinds, const FitOptions& options,
                                            bool any_order) {
    const std::size_t common = std::min(made.calls.size(), recorded.calls.size());
    for (std::size_t i = 0; i < common; ++i) {
        const CallType& kind = kinds[recorded.calls[i]];
        if (made.calls[i] != recorded.calls[i]) return kind.name + ", execution count";
        const CallType::Argument* argument =
            different_argument(kind, made.values.data() + made.first[i],
                               recorded.values.data() + recorded.first[i], options, any_order);
        if (argument != nullptr) return kind.name + ", " + argument->name;
    }
    if (made.calls.size() == recorded.calls.size()) return std::nullopt;
    const std::vector<u32>& more = made.calls.size() > common ? made.calls : recorded.calls;
    return kinds[more[common]].name + ", execution count";
}

bool have_times(const std::vector<FoldedRun>& runs) {
    return std::ranges::all_of(runs, &FoldedRun::has_times);
}

/// At most `most` of the ranks, evenly spread, including first and last.
std::vector<u32> spread(const std::vector<u32>& ranks, std::size_t most) {
    if (ranks.size() <= most) return ranks;
    std::vector<u32> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(ranks[i * (ranks.size() - 1) / (most - 1)]);
    return some;
}

struct ClassMember {
    std::size_t run = 0;
    u32 rank = 0;
};

/// Tries one arrangement with one classification of ranks.
class Attempt {
  public:
    /// `all`: runs whose global definitions are used, in addition to `runs`.
    Attempt(const std::vector<FoldedRun>& runs, const std::vector<FoldedRun>& all,
            const CallTypes& kinds, GridRule rule, GridClasses classes, RankGrid target,
            FitOptions options)
        : runs_(runs),
          all_(all),
          kinds_(kinds),
          options_(std::move(options)),
          model_{std::move(rule), have_times(runs), classes, std::move(target), {}, {}, {}} {
        for (const FoldedRun& run : runs) grids_.push_back(grid_by(model_.rule, run.ranks));
    }

    std::variant<ProgramModel, Refusal> run() {
        if (auto refusal = model_global_definitions()) return std::move(*refusal);
        if (auto refusal = find_communicators()) return std::move(*refusal);
        collect();
        std::size_t places = model_.global_definitions.front().places.size();
        for (const auto& [key, targets] : targets_) {
            if (auto refusal = model_class(key, targets)) {
                refusal->places += places;
                return std::move(*refusal);
            }
            for (const auto& thread : model_.of_class[key]) places += thread.events.places.size();
        }
        if (model_.has_times) add_times();
        return std::move(model_);
    }

  private:
    std::optional<Refusal> model_global_definitions() {
        std::vector<Example> examples;
        std::vector<RankGrid> grids;
        for (const FoldedRun& run : all_) grids.push_back(grid_by(model_.rule, run.ranks));
        for (std::size_t r = 0; r < all_.size(); ++r) {
            examples.push_back({all_[r].global_definitions.get(), &grids[r], 0, 0, nullptr});
        }
        ScriptModel script;
        const RankGrid* first = nullptr;
        auto refusal = fit(examples, {0}, script, first);
        if (!refusal) model_.global_definitions.push_back(std::move(script));
        return refusal;
    }

    /// Those of the target run, from its definitions.
    std::optional<Refusal> find_communicators() {
        try {
            ScriptGenerator generator(model_.global_definitions.front(), kinds_);
            model_.communicators =
                std::make_shared<RankCommunicators>(generator.generate(model_.grid, 0), kinds_,
                                                    static_cast<u32>(model_.grid.participants()));
            return std::nullopt;
        } catch (const Error& error) {
            return Refusal{"definitions", error.what()};
        }
    }

    void collect() {
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            for (u32 rank = 0; rank < runs_[r].ranks; ++rank) {
                const u64 key = class_of(model_.classes, grids_[r], rank, &*runs_[r].communicators);
                members_[key].push_back({r, rank});
            }
        }
        const auto ranks = static_cast<u32>(model_.grid.participants());
        for (u32 rank = 0; rank < ranks; ++rank) {
            const u64 key = class_of(model_.classes, model_.grid, rank, &*model_.communicators);
            targets_[key].push_back(rank);
        }
    }

    std::optional<Refusal> model_class(u64 key, const std::vector<u32>& targets) {
        const std::vector<ClassMember>& members = members_[key];
        if (members.empty()) return no_example(targets.front());
        const ClassMember& last = members.back();
        const std::size_t threads = runs_[last.run].locations[last.rank].size();
        std::vector<ProgramModel::Thread>& of_class = model_.of_class[key];
        for (std::size_t thread = 0; thread < threads; ++thread) {
            ProgramModel::Thread& made = of_class.emplace_back();
            const auto events = [](const auto& location) { return location.events; };
            if (auto refusal = model_script(members, thread, events, targets, made.events)) {
                return refusal;
            }
            const auto definitions = [](const auto& location) { return location.definitions; };
            if (auto refusal =
                    model_script(members, thread, definitions, targets, made.definitions)) {
                return refusal;
            }
        }
        return std::nullopt;
    }

    /// Each distinct script of a run counts once.
    static std::vector<TimedScript> timed(const std::vector<Example>& examples) {
        std::vector<TimedScript> scripts;
        std::set<const FoldedSequence*> seen;
        for (const Example& example : examples) {
            if (!seen.insert(example.script).second) continue;
            scripts.push_back({example.script, static_cast<u32>(example.grid->participants()),
                               example.seconds_per_tick});
        }
        return scripts;
    }

    void add_times() {
        const auto events = [](const auto& location) { return location.events; };
        KindTimes of_kinds(kinds_);
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            std::set<const FoldedSequence*> seen;
            for (const auto& threads : runs_[r].locations) {
                for (const auto& location : threads) {
                    if (!seen.insert(location.events.get()).second) continue;
                    of_kinds.add(
                        {location.events.get(), runs_[r].ranks, runs_[r].seconds_per_tick});
                }
            }
        }
        of_kinds.finish();
        for (auto& [key, threads] : model_.of_class) {
            for (std::size_t thread = 0; thread < threads.size(); ++thread) {
                ScriptModel& model = threads[thread].events;
                std::vector<TimedScript> scripts =
                    timed(examples_of(members_[key], thread, events));
                std::erase_if(scripts, [&](const TimedScript& script) {
                    return script.script->tree != model.tree;
                });
                model.times = fit_times(scripts, kinds_, of_kinds);
                threads[thread].imbalances = imbalances_of(members_[key], thread);
            }
        }
    }

    /// From the two largest runs with ranks of a class.
    [[nodiscard]] std::map<std::pair<u32, u32>, ProgramModel::Thread::Imbalances> imbalances_of(
        const std::vector<ClassMember>& members, std::size_t thread) const {
        const std::size_t larger = members.back().run;
        std::size_t smaller = larger;
        for (const ClassMember& member : members) {
            if (member.run < larger) smaller = member.run;
        }
        std::map<std::pair<u32, u32>, ProgramModel::Thread::Imbalances> found;
        for (const auto& [key, sums] : times_of(members.back(), thread)) {
            const std::pair<u32, u32> transition = key;  // clang 14 captures no structured binding
            const auto fit = [&](double TimeSums::*time) {
                const RankFactors small =
                    smaller == larger ? RankFactors{}
                                      : factors_of(members, smaller, thread, transition, time);
                return fit_imbalance(small, factors_of(members, larger, thread, transition, time));
            };
            found[transition] = {fit(&TimeSums::before), fit(&TimeSums::within)};
        }
        return found;
    }

    [[nodiscard]] const TransitionTimes& times_of(const ClassMember& member,
                                                  std::size_t thread) const {
        return (*runs_[member.run].times)[member.rank].at(thread);
    }

    /// The mean times of the ranks of a run, by their mean.
    [[nodiscard]] RankFactors factors_of(const std::vector<ClassMember>& members, std::size_t run,
                                         std::size_t thread, std::pair<u32, u32> transition,
                                         double TimeSums::*time) const {
        RankFactors factors{&grids_[run], {}};
        double sum = 0;
        for (const ClassMember& member : members) {
            if (member.run != run || thread >= (*runs_[run].times)[member.rank].size()) continue;
            const TransitionTimes& times = times_of(member, thread);
            const auto found = times.find(transition);
            if (found == times.end()) continue;
            const auto executions = static_cast<double>(found->second.executions);
            factors.of.push_back({member.rank, found->second.*time / executions});
            sum += factors.of.back().value;
        }
        if (!(sum > 0)) return {};
        for (RankFactors::Factor& factor : factors.of) {
            factor.value *= static_cast<double>(factors.of.size()) / sum;
        }
        return factors;
    }

    /// A few of the identical ranks of a run suffice.
    template <class Select>
    std::vector<Example> examples_of(const std::vector<ClassMember>& members, std::size_t thread,
                                     const Select& select) const {
        std::map<std::pair<std::size_t, const FoldedSequence*>, std::vector<u32>> groups;
        for (const ClassMember& member : members) {
            const auto& threads = runs_[member.run].locations[member.rank];
            const FoldedSequence* script =
                thread < threads.size() ? select(threads[thread]).get() : nullptr;
            if (script != nullptr) groups[{member.run, script}].push_back(member.rank);
        }
        std::vector<Example> examples;
        for (const auto& [group, ranks] : groups) {
            for (const u32 rank : spread(ranks, kMostExamples)) {
                examples.push_back({group.second, &grids_[group.first], rank,
                                    runs_[group.first].seconds_per_tick,
                                    &*runs_[group.first].communicators});
            }
        }
        return examples;
    }

    /// Models a thread of the members and compares the model with all of their records.
    template <class Select>
    std::optional<Refusal> model_script(const std::vector<ClassMember>& members, std::size_t thread,
                                        const Select& select, const std::vector<u32>& targets,
                                        ScriptModel& out) {
        const RankGrid* first = nullptr;
        if (auto refusal = fit(examples_of(members, thread, select), targets, out, first)) {
            return refusal;
        }
        ScriptGenerator generator(out, kinds_);
        for (const ClassMember& member : members) {
            const auto& threads = runs_[member.run].locations[member.rank];
            if (&grids_[member.run] < first || thread >= threads.size()) continue;
            const FoldedSequence& recorded = *select(threads[thread]);
            const u32 ranks = runs_[member.run].ranks;
            if (recorded.tree != out.tree) {
                return differ_from_model("the order of calls", member.rank, ranks);
            }
            if (auto different = difference(generator, out, member, *recorded.sequence)) {
                return differ_from_model(*different, member.rank, ranks);
            }
        }
        return std::nullopt;
    }

    /// Where a model deviates from a rank's records.
    std::optional<std::string> difference(ScriptGenerator& generator, const ScriptModel& script,
                                          const ClassMember& member, const CallSequence& recorded) {
        try {
            const CallSequence& made = generator.generate(grids_[member.run], member.rank,
                                                          &*runs_[member.run].communicators);
            return first_difference(made, recorded, kinds_, checked_of(script),
                                    script.reordered != 0);
        } catch (const Error& error) {
            return error.what();  // formulas yield impossible values
        }
    }

    /// Options for comparing arguments: excludes free and approximated ones.
    [[nodiscard]] FitOptions checked_of(const ScriptModel& script) const {
        FitOptions options = options_;
        if (script.approximations.empty()) return options;
        options.is_free = [this, &script](const CallType& kind,
                                          const CallType::Argument& argument) {
            return options_.is_free(kind, argument) ||
                   std::ranges::any_of(script.approximations, [&](const Approximation& some) {
                       return &kinds_[some.call] == &kind &&
                              &kind.arguments[some.argument] == &argument;
                   });
        };
        return options;
    }

    /// Fits the largest runs that share one call tree; `first`: grid of the smallest of them.
    std::optional<Refusal> fit(std::vector<Example> examples, const std::vector<u32>& targets,
                               ScriptModel& out, const RankGrid*& first) {
        const ScriptTree& tree = examples.back().script->tree;
        const auto first_like =
            std::find_if(examples.rbegin(), examples.rend(), [&](const Example& e) {
                return e.script->tree != tree;
            }).base();
        if (first_like != examples.begin() && first_like != examples.end() &&
            (first_like - 1)->grid == first_like->grid) {
            return differ(*(first_like - 1), *first_like, kinds_);
        }
        const bool drops = first_like != examples.begin();
        const Example other = drops ? *(first_like - 1) : Example{};
        examples.erase(examples.begin(), first_like);
        std::set<const RankGrid*> grids;
        for (const Example& example : examples) grids.insert(example.grid);
        const std::size_t runs = grids.size();
        // Two matching runs among different ones may match by chance.
        if (runs < (drops ? 3 : 2)) {
            return too_few_runs(examples.back(), runs, drops ? &other : nullptr, kinds_);
        }
        FitOptions options = options_;
        for (const u32 rank : spread(targets, kMostTargets)) {
            options.targets.push_back({&model_.grid, rank, {}, model_.communicators.get()});
        }
        auto fitted = fit_script(examples, kinds_, options);
        if (auto* refusal = std::get_if<Refusal>(&fitted)) return std::move(*refusal);
        out = std::move(std::get<ScriptModel>(fitted));
        first = examples.front().grid;
        return std::nullopt;
    }

    const std::vector<FoldedRun>& runs_;
    const std::vector<FoldedRun>& all_;
    const CallTypes& kinds_;
    FitOptions options_;
    std::vector<RankGrid> grids_;  ///< by run
    ProgramModel model_;
    std::map<u64, std::vector<ClassMember>> members_;
    std::map<u64, std::vector<u32>> targets_;
};

}  // namespace

std::variant<ProgramModel, Refusal> model_classes(const std::vector<FoldedRun>& runs,
                                                  const std::vector<FoldedRun>& all,
                                                  const CallTypes& kinds, const GridRule& rule,
                                                  const GridClasses& classes,
                                                  const RankGrid& target, FitOptions options) {
    return Attempt(runs, all, kinds, rule, classes, target, std::move(options)).run();
}

namespace {

std::string rank_text(const Example& example) {
    return fmt::format("rank {} of {}", example.rank, example.grid->participants());
}

/// The first differing place of each tree; kNone: none.
struct PlacePair {
    u32 a = kNone;
    u32 b = kNone;
};

/// Precondition: the trees differ.
PlacePair first_difference(const ScriptTree& a, const std::vector<u32>& in_a, const ScriptTree& b,
                           const std::vector<u32>& in_b) {
    const std::size_t common = std::min(in_a.size(), in_b.size());
    for (std::size_t i = 0; i < common; ++i) {
        const ScriptTree::Place& first = a.places[in_a[i]];
        const ScriptTree::Place& second = b.places[in_b[i]];
        if (first.call != second.call || first.variant != second.variant) return {in_a[i], in_b[i]};
        const PlacePair inner = first_difference(a, first.body, b, second.body);
        if (inner.a != kNone || inner.b != kNone) return inner;
    }
    return {common < in_a.size() ? in_a[common] : kNone,
            common < in_b.size() ? in_b[common] : kNone};
}

std::string name_of(const ScriptTree& tree, u32 place, const CallTypes& kinds) {
    if (place == kNone) return "nothing more";
    bool in_loop = false;
    while (tree.places[place].call == kNone && !tree.places[place].body.empty()) {
        place = tree.places[place].body.front();
        in_loop = true;
    }
    const u32 call = tree.places[place].call;
    const std::string name = call == kNone ? std::string("a loop") : kinds[call].name;
    return in_loop ? "a loop of " + name : name;
}

bool is_definition(const ScriptTree& tree, u32 place, const CallTypes& kinds) {
    while (place != kNone && tree.places[place].call == kNone) {
        place = tree.places[place].body.empty() ? kNone : tree.places[place].body.front();
    }
    return place != kNone && kinds[tree.places[place].call].definition.has_value();
}

std::map<std::string, u64> counts_of(const CallSequence& definitions, const CallTypes& kinds) {
    std::map<std::string, u64> counts;
    for (const u32 call : definitions.calls) ++counts[kinds[call].name];
    return counts;
}

/// "5 communicators in the run of 9 ranks, 3 in that of 8": what differs first in number, but for
/// the ranks themselves; else in order.
std::string definitions_text(const Example& a, const Example& b, const CallTypes& kinds) {
    const auto first = counts_of(*a.script->sequence, kinds);
    auto second = counts_of(*b.script->sequence, kinds);
    const u64 more = a.grid->participants() - b.grid->participants();
    for (const auto& [name, count] : first) {
        if (count == second[name] || count - second[name] == more) continue;
        return fmt::format("{} {} in the run of {} ranks, {} in that of {}", count, name,
                           a.grid->participants(), second[name], b.grid->participants());
    }
    return fmt::format("the order of communicators and names in the runs of {} and {} ranks",
                       a.grid->participants(), b.grid->participants());
}

/// "MPI_Send on rank 3 of 8, but rank 0 of 4 has MPI_Recv".
std::string difference_text(const Example& a, const Example& b, const CallTypes& kinds) {
    const ScriptTree& first = a.script->tree;
    const ScriptTree& second = b.script->tree;
    const PlacePair places = first_difference(first, first.root, second, second.root);
    if (is_definition(first, places.a, kinds) || is_definition(second, places.b, kinds)) {
        return definitions_text(a, b, kinds);
    }
    const std::string name = name_of(first, places.a, kinds);
    const std::string other = name_of(second, places.b, kinds);
    return fmt::format("{} on {}, but {} has {}", name, rank_text(a), rank_text(b),
                       other == name ? "a different one" : other);
}

}  // namespace

Refusal no_example(u32 rank) {
    return {.what = fmt::format("rank {}", rank),
            .why = "no recorded run has a rank at such a position of the process grid",
            .names_call = false};
}

Refusal differ(const Example& a, const Example& b, const CallTypes& kinds) {
    return {difference_text(b, a, kinds),
            "they do different things at similar positions of the process grid"};
}

Refusal differ_from_model(const std::string& what, u32 rank, u32 ranks) {
    return {fmt::format("{} on rank {} of {}", what, rank, ranks),
            "it differs from the formula of other ranks at similar positions of the process grid"};
}

Refusal too_few_runs(const Example& example, std::size_t runs, const Example* other,
                     const CallTypes& kinds) {
    const std::string what =
        other == nullptr ? rank_text(example) : difference_text(example, *other, kinds);
    const ScriptTree& tree = example.script->tree;
    const bool defines = !tree.root.empty() && is_definition(tree, tree.root.front(), kinds);
    return {.what = what,
            .why = fmt::format(
                "{} has {}; runs of more sizes are needed",
                runs == 1 ? "no other run" : "only one other run",
                defines ? "the same ones in the same order" : "a rank that does the same"),
            .names_call = other != nullptr};
}

}  // namespace tracefold
