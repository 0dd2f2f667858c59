// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/program_model.hpp"

#include "core/error.hpp"
#include "scaling/recorded_check.hpp"
#include "scaling/script_generator.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostExamples = 8;  ///< ranks of a run that all do the same
constexpr std::size_t kMostTargets = 8;
constexpr u32 kMostCompared = 64;       ///< ranks
constexpr std::size_t kMostSizes = 32;  ///< numbers of things that are tried one by one
constexpr FoldingView kViews[] = {
    {}, {.sizes = true}, {.periods = true}, {.sizes = true, .periods = true}, {.peers = true}};

/// What the clock showed, and what is counted anew.
bool is_free(const CallType& kind, const CallType::Argument& argument) {
    return kind.name == "ClockProperties" || argument.name == "number_of_events";
}

bool have_times(const std::vector<FoldedRun>& runs) {
    return std::ranges::all_of(runs, &FoldedRun::has_times);
}

/// At most `most` of the ranks, evenly spread from the first to the last.
std::vector<u32> spread(const std::vector<u32>& ranks, std::size_t most) {
    if (ranks.size() <= most) return ranks;
    std::vector<u32> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(ranks[i * (ranks.size() - 1) / (most - 1)]);
    return some;
}

/// The examples of one class of ranks.
struct ClassMember {
    std::size_t run = 0;
    u32 rank = 0;
};

/// Tries one arrangement and one way to tell ranks apart.
class Attempt {
  public:
    /// `all`: whose global definitions are looked at, besides those of `runs`.
    Attempt(const std::vector<FoldedRun>& runs, const std::vector<FoldedRun>& all,
            const CallTypes& kinds, GridRule rule, GridClasses classes, RankGrid target,
            FitOptions options)
        : runs_(runs),
          all_(all),
          kinds_(kinds),
          options_(std::move(options)),
          model_{std::move(rule), have_times(runs), classes, std::move(target), {}, {}} {
        for (const FoldedRun& run : runs) grids_.push_back(grid_by(model_.rule, run.ranks));
    }

    std::variant<ProgramModel, Refusal> run() {
        if (auto refusal = model_global_definitions()) return std::move(*refusal);
        collect();
        std::size_t places = 0;
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
            examples.push_back({all_[r].global_definitions.get(), &grids[r], 0, 0});
        }
        ScriptModel script;
        const RankGrid* first = nullptr;
        auto refusal = fit(examples, {0}, script, first);
        if (refusal) {
            refusal->what = "definitions: " + refusal->what;
        } else {
            model_.global_definitions.push_back(std::move(script));
        }
        return refusal;
    }

    void collect() {
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            for (u32 rank = 0; rank < runs_[r].ranks; ++rank) {
                members_[class_of(model_.classes, grids_[r], rank)].push_back({r, rank});
            }
        }
        const auto ranks = static_cast<u32>(model_.grid.participants());
        for (u32 rank = 0; rank < ranks; ++rank) {
            targets_[class_of(model_.classes, model_.grid, rank)].push_back(rank);
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
                refusal->what = "definitions of a location: " + refusal->what;
                return refusal;
            }
        }
        return std::nullopt;
    }

    /// Each script of a run counts once, whatever the number of its examples.
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
            }
        }
    }

    [[nodiscard]] Refusal no_example(u32 rank) const {
        return {fmt::format("rank {}", rank),
                "no recorded run has a rank at such a place of the process grid",
                0,
                {}};
    }

    /// Few of the ranks of a run that do the same are enough.
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
                                    runs_[group.first].seconds_per_tick});
            }
        }
        return examples;
    }

    /// Models what a thread of the members does, and compares it with all that they did.
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
            if (recorded.tree != out.tree) return differ_from(member, "the order of its calls");
            if (auto different = difference(generator, out, member, *recorded.sequence)) {
                return differ_from(member, *different);
            }
        }
        return std::nullopt;
    }

    /// Where a model does not say of a rank what it did.
    std::optional<std::string> difference(ScriptGenerator& generator, const ScriptModel& script,
                                          const ClassMember& member, const CallSequence& recorded) {
        try {
            const CallSequence& made = generator.generate(grids_[member.run], member.rank);
            return first_difference(made, recorded, kinds_, checked_of(script),
                                    script.reordered != 0);
        } catch (const Error& error) {
            return error.what();  // formulas give what no rank can do
        }
    }

    /// Which arguments are compared with what was recorded: those that are neither free nor
    /// approximated.
    [[nodiscard]] FitOptions checked_of(const ScriptModel& script) const {
        FitOptions options = options_;
        if (script.approximations.empty()) return options;
        options.is_free = [this, &script](const CallType& kind,
                                          const CallType::Argument& argument) {
            return is_free(kind, argument) ||
                   std::ranges::any_of(script.approximations, [&](const Approximation& some) {
                       return &kinds_[some.call] == &kind &&
                              &kind.arguments[some.argument] == &argument;
                   });
        };
        return options;
    }

    [[nodiscard]] Refusal differ_from(const ClassMember& member, const std::string& what) const {
        return {fmt::format("{} on rank {} of {}", what, member.rank, runs_[member.run].ranks),
                "it is something else than what explains other ranks at like places of the "
                "process grid",
                0,
                {}};
    }

    /// Takes the largest runs that agree on what is done in which order; `first` is the grid of the
    /// smallest of them.
    std::optional<Refusal> fit(std::vector<Example> examples, const std::vector<u32>& targets,
                               ScriptModel& out, const RankGrid*& first) {
        const ScriptTree& tree = examples.back().script->tree;
        const auto first_like =
            std::find_if(examples.rbegin(), examples.rend(), [&](const Example& e) {
                return e.script->tree != tree;
            }).base();
        if (first_like != examples.begin() && first_like != examples.end() &&
            (first_like - 1)->grid == first_like->grid) {
            return differ(*(first_like - 1), *first_like);
        }
        const bool drops = first_like != examples.begin();
        examples.erase(examples.begin(), first_like);
        std::set<const RankGrid*> grids;
        for (const Example& example : examples) grids.insert(example.grid);
        const std::size_t runs = grids.size();
        // Two runs that are alike among others that are not may be so by chance.
        if (runs < (drops ? 3 : 2)) return too_few_runs(examples.back(), runs);
        FitOptions options = options_;
        for (const u32 rank : spread(targets, kMostTargets)) {
            options.targets.push_back({&model_.grid, rank, {}});
        }
        auto fitted = fit_script(examples, kinds_, options);
        if (auto* refusal = std::get_if<Refusal>(&fitted)) return std::move(*refusal);
        out = std::move(std::get<ScriptModel>(fitted));
        first = examples.front().grid;
        return std::nullopt;
    }

    [[nodiscard]] static Refusal differ(const Example& a, const Example& b) {
        return {fmt::format("ranks {} and {} of {}", a.rank, b.rank, a.grid->participants()),
                "they do different things, though they stand at like places of the process grid",
                0,
                {}};
    }

    [[nodiscard]] static Refusal too_few_runs(const Example& example, std::size_t runs) {
        return {fmt::format("rank {} of {}", example.rank, example.grid->participants()),
                fmt::format("{} has a rank that does the same; runs of more sizes are needed",
                            runs == 1 ? "no other run" : "only one other run"),
                0,
                {}};
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

/// The runs whose process grids have the proportions of another one, where all have not: a program
/// may exchange its rows and columns in one way on squares and in another one elsewhere.
std::vector<FoldedRun> runs_like(const std::vector<FoldedRun>& runs, const GridRule& rule,
                                 const RankGrid& target) {
    std::vector<FoldedRun> like;
    for (const FoldedRun& run : runs) {
        const RankGrid grid = grid_by(rule, run.ranks);
        bool same = true;
        for (std::size_t d = 1; d < grid.dimensions(); ++d) {
            same = same && u64{grid.sizes()[d]} * target.sizes()[0] ==
                               u64{grid.sizes()[0]} * target.sizes()[d];
        }
        if (same) like.push_back(run);
    }
    if (like.size() == runs.size()) like.clear();
    return like;
}

/// What a model says of a rank.
const CallSequence& calls_of(const ProgramModel& model, u32 rank, std::size_t thread,
                             std::optional<ScriptGenerator>& generator, const CallTypes& kinds) {
    const u64 key = class_of(model.classes, model.grid, rank);
    generator.emplace(model.of_class.at(key).at(thread).events, kinds);
    return generator->generate(model.grid, rank);
}

/// True if two models say the same of ranks from all over.
bool say_the_same(const ProgramModel& a, const ProgramModel& b, const CallTypes& kinds) {
    const auto ranks = static_cast<u32>(a.grid.participants());
    const u32 step = std::max(ranks / kMostCompared, 1U);
    std::optional<ScriptGenerator> first;
    std::optional<ScriptGenerator> second;
    for (u32 rank = 0; rank < ranks; rank += step) {
        const u64 key = class_of(a.classes, a.grid, rank);
        for (std::size_t thread = 0; thread < a.of_class.at(key).size(); ++thread) {
            const CallSequence& one = calls_of(a, rank, thread, first, kinds);
            const CallSequence& other = calls_of(b, rank, thread, second, kinds);
            if (one.calls != other.calls || one.values != other.values) return false;
        }
    }
    return true;
}

/// Tries one arrangement, and all ways to tell ranks apart.
class RuleSearch {
  public:
    RuleSearch(const std::vector<FoldedRun>& runs, const std::vector<FoldedRun>& all,
               const CallTypes& kinds, const GridRule& rule, const RankGrid& target,
               bool may_approximate)
        : runs_(runs),
          all_(all),
          kinds_(kinds),
          rule_(rule),
          target_(target),
          may_approximate_(may_approximate) {}

    /// `thoroughly`: tries numbers of things that numbers may be shares of one by one.
    std::optional<ProgramModel> run(bool thoroughly, std::optional<Refusal>& best) {
        for (const GridClasses& classes : ways_to_classify()) {
            auto made = attempt(classes, std::nullopt);
            auto* refusal = std::get_if<Refusal>(&made);
            if (refusal == nullptr) return std::move(std::get<ProgramModel>(made));
            if (thoroughly) {
                if (auto model = with_one_size(classes, *refusal)) return model;
            }
            if (!best || refusal->places > best->places) best = std::move(*refusal);
        }
        return std::nullopt;
    }

  private:
    std::variant<ProgramModel, Refusal> attempt(const GridClasses& classes,
                                                std::optional<int> things) {
        FitOptions options{things, {}, is_free, may_approximate_};
        return Attempt(runs_, all_, kinds_, rule_, classes, target_, std::move(options)).run();
    }

    /// If numbers are shares of one of several numbers of things: the one that explains everything.
    std::optional<ProgramModel> with_one_size(const GridClasses& classes, Refusal& refusal) {
        std::optional<ProgramModel> found;
        const std::set<int> candidates = refusal.things;
        if (candidates.size() > kMostSizes) return std::nullopt;
        for (const int things : candidates) {
            auto made = attempt(classes, things);
            auto* model = std::get_if<ProgramModel>(&made);
            if (model == nullptr) {
                if (std::get<Refusal>(made).places > refusal.places && !found) {
                    refusal = std::get<Refusal>(std::move(made));
                }
                continue;
            }
            if (found && !say_the_same(*found, *model, kinds_)) return std::nullopt;
            if (!found) found = std::move(*model);
        }
        return found;
    }

    const std::vector<FoldedRun>& runs_;
    const std::vector<FoldedRun>& all_;
    const CallTypes& kinds_;
    const GridRule& rule_;
    const RankGrid& target_;
    bool may_approximate_;
};

using Outcome = std::variant<ProgramModel, Refusal>;

/// What is looked at, and how.
struct Pass {
    bool approximately = false;
    bool like = false;  ///< at runs of the same proportions only
};

/// The grids of all runs and of the one that is asked for. Rules that give the same ones, such as
/// all orders of the dimensions of cubes, are one rule.
std::vector<std::vector<u32>> all_sizes(const std::vector<FoldedRun>& runs, const GridRule& rule,
                                        const RankGrid& target) {
    std::vector<std::vector<u32>> sizes = {target.sizes()};
    for (const FoldedRun& run : runs) sizes.push_back(grid_by(rule, run.ranks).sizes());
    return sizes;
}

/// Tries all arrangements on one view of what the runs do. Those that explain the runs must agree
/// on the one that is asked for, or it is refused; approximately, the first one is taken. `like`:
/// on the runs of the same proportions only. Nothing, and `best`, if none explains them.
std::optional<Outcome> model_view(const std::vector<FoldedRun>& runs, const CallTypes& kinds,
                                  const ProgramRequest& request, Pass pass,
                                  std::optional<Refusal>& best) {
    std::optional<ProgramModel> found;
    std::set<std::vector<std::vector<u32>>> tried;
    for (const GridRule& rule : grid_rules()) {
        if (!request.grid.empty() && request.grid.size() != rule.order.size()) continue;
        // More dimensions explain less simply what fewer explain.
        const bool farther =
            found && (rule.square_of_groups || rule.order.size() > found->rule.order.size());
        if (farther) break;
        const RankGrid target =
            request.grid.empty() ? grid_by(rule, request.ranks) : RankGrid(request.grid);
        if (!tried.insert(all_sizes(runs, rule, target)).second) continue;
        const std::vector<FoldedRun> some = pass.like ? runs_like(runs, rule, target) : runs;
        if (some.size() < 2) continue;
        auto model =
            RuleSearch(some, runs, kinds, rule, target, pass.approximately).run(!found, best);
        if (model && pass.approximately) return std::move(*model);
        if (model && found && !say_the_same(*found, *model, kinds)) {
            return Refusal{
                fmt::format("process grids {} and {}", to_text(found->rule), to_text(rule)),
                "they explain the runs equally well; runs of more sizes are needed, or "
                "--grid"};
        }
        if (model && !found) found = std::move(model);
    }
    if (!found) return std::nullopt;
    return std::move(*found);
}

std::vector<FoldedRun> fold_runs(const std::vector<TrainingRun>& runs, const CallTypes& kinds,
                                 FoldingView view) {
    std::vector<FoldedRun> folded;
    for (const TrainingRun& run : runs) folded.push_back(fold_run(run, kinds, view));
    return folded;
}

}  // namespace

u64 ProgramModel::reordered() const {
    u64 sum = 0;
    for (const auto& [key, threads] : of_class) {
        for (const Thread& thread : threads) sum += thread.events.reordered;
    }
    return sum;
}

std::vector<Approximation> ProgramModel::approximations() const {
    std::vector<Approximation> all;
    for (const auto& [key, threads] : of_class) {
        for (const Thread& thread : threads) {
            for (const Approximation& some : thread.events.approximations) {
                if (std::ranges::find(all, some) == all.end()) all.push_back(some);
            }
        }
    }
    std::ranges::stable_sort(all, {}, &Approximation::what);
    return all;
}

std::variant<ProgramModel, Refusal> model_program(const std::vector<TrainingRun>& runs,
                                                  const CallTypes& kinds,
                                                  const ProgramRequest& request) {
    std::optional<Refusal> best;
    std::array<std::vector<FoldedRun>, std::size(kViews)> folded;
    for (const Pass pass : {Pass{false, false}, Pass{false, true}, Pass{true, false}}) {
        if (pass.approximately && !request.may_approximate) continue;
        for (std::size_t view = 0; view < folded.size(); ++view) {
            if (folded[view].empty()) folded[view] = fold_runs(runs, kinds, kViews[view]);
            auto made = model_view(folded[view], kinds, request, pass, best);
            if (made) return std::move(*made);
        }
    }
    return std::move(*best);
}

}  // namespace tracefold
