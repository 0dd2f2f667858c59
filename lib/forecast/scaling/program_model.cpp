// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/program_model.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "forecast/scaling/class_models.hpp"
#include "forecast/scaling/script_generator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostDimensions = 3;

/// Divides `ranks` among the remaining dimensions, each at most `most`.
void divide(u32 ranks, std::size_t left, u32 most, std::vector<u32>& sizes,
            std::vector<u32>& best) {
    if (left == 1) {
        if (ranks > most) return;
        sizes.push_back(ranks);
        const auto spread = [](const std::vector<u32>& s) { return s.front() - s.back(); };
        if (best.empty() || spread(sizes) < spread(best)) best = sizes;
        sizes.pop_back();
        return;
    }
    for (u32 size = std::min(ranks, most); size >= 1; --size) {
        if (ranks % size != 0) continue;
        sizes.push_back(size);
        divide(ranks / size, left - 1, size, sizes, best);
        sizes.pop_back();
    }
}

bool is_power(u32 ranks, u32 exponent) {
    const auto root = static_cast<u64>(std::lround(std::pow(ranks, 1.0 / exponent)));
    u64 product = 1;
    for (u32 i = 0; i < exponent; ++i) product *= root;
    return product == ranks;
}

}  // namespace

std::vector<u32> even_sizes(u32 ranks, std::size_t dimensions) {
    std::vector<u32> sizes;
    std::vector<u32> best;
    divide(ranks, dimensions, ranks, sizes, best);
    return best;
}

RankGrid grid_by(const GridRule& rule, u32 ranks) {
    const auto given = rule.given.find(ranks);
    if (given != rule.given.end()) return RankGrid(given->second);
    if (rule.square_of_groups) {
        u32 side = static_cast<u32>(std::sqrt(ranks));
        while (ranks % (side * side) != 0) --side;
        return RankGrid({side, side, ranks / (side * side)});
    }
    const std::vector<u32> even = even_sizes(ranks, rule.order.size());
    std::vector<u32> sizes;
    for (const u32 place : rule.order) sizes.push_back(even[place]);
    return RankGrid(std::move(sizes));
}

std::vector<GridRule> grid_rules() {
    std::vector<GridRule> rules;
    for (std::size_t dimensions = 1; dimensions <= kMostDimensions; ++dimensions) {
        GridRule rule;
        rule.order.resize(dimensions);
        std::iota(rule.order.begin(), rule.order.end(), 0U);
        do rules.push_back(rule);
        while (std::ranges::next_permutation(rule.order).found);
    }
    rules.push_back({{0, 0, 1}, true});
    return rules;
}

std::string to_text(const GridRule& rule) {
    constexpr std::string_view kNames = "xyz";
    const std::size_t n = rule.order.size();
    std::string text = std::to_string(n) + "-D";
    if (n == 1) return text;
    if (rule.square_of_groups) return text + ", y = z";
    for (u32 place = 0; place < n; ++place) {
        const auto d =
            static_cast<std::size_t>(std::ranges::find(rule.order, place) - rule.order.begin());
        text += (place == 0 ? ", " : " >= ") + std::string(1, kNames[n - 1 - d]);
    }
    return text;
}

std::string missing_property(const std::vector<u32>& recorded, u32 ranks) {
    if (recorded.size() < 3) return {};
    const auto all = [&](const auto& has) { return std::ranges::all_of(recorded, has); };
    const auto power_of_two = [](u32 n) { return std::has_single_bit(n); };
    const auto square = [](u32 n) { return is_power(n, 2); };
    const auto cube = [](u32 n) { return is_power(n, 3); };
    if (all(cube) && !cube(ranks)) return "a cube";
    if (all(square) && !square(ranks)) return "a square";
    if (all(power_of_two) && !power_of_two(ranks)) return "a power of two";
    return {};
}

u64 class_of(const GridClasses& classes, const RankGrid& grid, u32 rank,
             const RankCommunicators* communicators) {
    u64 key = 0;
    const auto place = [&](u64 coordinate, u64 size) {
        const u64 low = std::min<u64>(coordinate, classes.width);
        const u64 high = std::min<u64>(size - 1 - coordinate, classes.width);
        key = (key * (classes.width + 1) + low) * (classes.width + 1) + high;
    };
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        place(grid.coordinate(d, rank), grid.sizes()[d]);
    }
    if (!classes.by_communicators) return key;
    key = mix(key + communicators->of(rank).size());
    for (const RankCommunicators::Membership& at : communicators->of(rank)) {
        place(at.rank, at.grid->participants());
        key = mix(key);
    }
    return key;
}

std::vector<GridClasses> ways_to_classify(bool has_parts) {
    std::vector<GridClasses> ways = {{0}, {1}, {2}};
    if (has_parts) ways.insert(ways.end(), {{0, true}, {1, true}});
    return ways;
}

std::string to_text(const GridClasses& classes) {
    const std::string places = classes.width == 0   ? "all ranks alike"
                               : classes.width == 1 ? "by borders of the grid"
                                                    : "by distance from the borders of the grid";
    if (!classes.by_communicators) return places;
    return classes.width == 0 ? "by the number of their communicators"
                              : places + " and of their communicators";
}

namespace {

constexpr u32 kMostCompared = 64;       ///< ranks
constexpr std::size_t kMostSizes = 32;  ///< problem sizes that are tried one by one

constexpr FoldingView kViews[] = {{},
                                  {.sizes = true},
                                  {.periods = true},
                                  {.sizes = true, .periods = true},
                                  {.peers = true},
                                  {.groups = true},
                                  {.periods = true, .groups = true}};

/// Arguments that depend on clocks or are counted anew.
bool is_free(const CallType& kind, const CallType::Argument& argument) {
    return kind.definition == DefinitionType::ClockProperties ||
           (kind.definition && argument.name == "number_of_events");
}

/// Runs whose process grids have the target's proportions, if others have not: programs may
/// exchange rows and columns differently on square and other grids.
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

const CallSequence& calls_of(const ProgramModel& model, u32 rank, std::size_t thread,
                             std::optional<ScriptGenerator>& generator, const CallTypes& kinds) {
    const u64 key = class_of(model.classes, model.grid, rank, &*model.communicators);
    generator.emplace(model.of_class.at(key).at(thread).events, kinds);
    return generator->generate(model.grid, rank, &*model.communicators);
}

/// True if two models agree on a spread sample of ranks. Throws Error(unsupported) for impossible
/// values.
bool say_the_same(const ProgramModel& a, const ProgramModel& b, const CallTypes& kinds) {
    const auto ranks = static_cast<u32>(a.grid.participants());
    const u32 step = std::max(ranks / kMostCompared, 1U);
    std::optional<ScriptGenerator> first;
    std::optional<ScriptGenerator> second;
    for (u32 rank = 0; rank < ranks; rank += step) {
        const u64 key = class_of(a.classes, a.grid, rank, &*a.communicators);
        for (std::size_t thread = 0; thread < a.of_class.at(key).size(); ++thread) {
            const CallSequence& one = calls_of(a, rank, thread, first, kinds);
            const CallSequence& other = calls_of(b, rank, thread, second, kinds);
            if (one.calls != other.calls || one.values != other.values) return false;
        }
    }
    return true;
}

/// True if two models differ; one that yields impossible values contradicts none.
bool contradict(const ProgramModel& a, const ProgramModel& b, const CallTypes& kinds) {
    try {
        return !say_the_same(a, b, kinds);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::unsupported) throw;
        return false;
    }
}

/// Tries one arrangement with all classifications of ranks.
struct RuleSearch {
    const std::vector<FoldedRun>& runs;
    const std::vector<FoldedRun>& all;
    const CallTypes& kinds;
    const GridRule& rule;
    const RankGrid& target;
    bool may_approximate;
    FitMemo& memo;

    /// `thoroughly`: tries the possible problem sizes one by one.
    std::optional<ProgramModel> run(bool thoroughly, std::optional<Refusal>& best) const {
        const bool has_parts = runs.back().communicators->has_parts();
        for (const GridClasses& classes : ways_to_classify(has_parts)) {
            auto made = attempt(classes, std::nullopt, std::nullopt);
            auto* refusal = std::get_if<Refusal>(&made);
            if (refusal == nullptr) return std::move(std::get<ProgramModel>(made));
            if (thoroughly) {
                if (auto model = with_one_size(classes, *refusal)) return model;
            }
            if (!best || refusal->tells_more_than(*best)) best = std::move(*refusal);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::variant<ProgramModel, Refusal> attempt(
        const GridClasses& classes, std::optional<int> problem_size,
        std::optional<Distribution> distribution) const {
        FitOptions options{problem_size, distribution, {}, is_free, may_approximate, &memo};
        return model_classes(runs, all, kinds, rule, classes, target, std::move(options));
    }

    /// If shares have several possible problem sizes or distributions: those that explain
    /// everything. None if others might, but have several formulas for a number.
    std::optional<ProgramModel> with_one_size(const GridClasses& classes, Refusal& refusal) const {
        std::optional<ProgramModel> found;
        const std::set<int> candidates = refusal.problem_sizes;
        if (candidates.size() > kMostSizes) return std::nullopt;
        for (const int problem_size : candidates) {
            for (int i = 0; i < kDistributions; ++i) {
                auto made = attempt(classes, problem_size, static_cast<Distribution>(i));
                auto* model = std::get_if<ProgramModel>(&made);
                if (model == nullptr) {
                    auto& other = std::get<Refusal>(made);
                    const bool may_explain = !other.problem_sizes.empty();
                    if (other.places > refusal.places && !found) refusal = std::move(other);
                    if (may_explain) return std::nullopt;
                    continue;
                }
                if (found && contradict(*found, *model, kinds)) return std::nullopt;
                if (!found) found = std::move(*model);
            }
        }
        return found;
    }
};

/// The grids of all runs and of the target. Rules with equal grids are one rule.
std::vector<std::vector<u32>> all_sizes(const std::vector<FoldedRun>& runs, const GridRule& rule,
                                        const RankGrid& target) {
    std::vector<std::vector<u32>> sizes = {target.sizes()};
    for (const FoldedRun& run : runs) sizes.push_back(grid_by(rule, run.ranks).sizes());
    return sizes;
}

/// One search: the view of the runs and the options.
struct Pass {
    bool approximately = false;
    bool like = false;  ///< only runs of the same proportions
};

/// Tries all arrangements on one view of the runs. Those that explain the runs must agree on the
/// target, else refuses; an approximate search takes the first. `like`: only runs of the same
/// proportions. No result, but `best`, if none explains them.
std::optional<std::variant<ProgramModel, Refusal>> search_arrangements(
    const std::vector<FoldedRun>& runs, const CallTypes& kinds, const ProgramRequest& request,
    Pass pass, FitMemo& memo, std::optional<Refusal>& best) {
    std::optional<ProgramModel> found;
    std::set<std::vector<std::vector<u32>>> tried;
    for (GridRule& rule : grid_rules()) {
        if (!request.grid.empty() && request.grid.size() != rule.order.size()) continue;
        rule.given = request.training_grids;
        const auto has_its_dimensions = [&](const auto& grid) {
            return grid.second.size() == rule.order.size();
        };
        if (!std::ranges::all_of(rule.given, has_its_dimensions)) continue;
        // More dimensions fit whatever fewer fit, less simply.
        const bool farther =
            found && (rule.square_of_groups || rule.order.size() > found->rule.order.size());
        if (farther) break;
        const RankGrid target =
            request.grid.empty() ? grid_by(rule, request.ranks) : RankGrid(request.grid);
        if (!tried.insert(all_sizes(runs, rule, target)).second) continue;
        const std::vector<FoldedRun> some = pass.like ? runs_like(runs, rule, target) : runs;
        if (some.size() < 2) continue;
        auto model =
            RuleSearch{some, runs, kinds, rule, target, pass.approximately, memo}.run(!found, best);
        if (model && pass.approximately) return std::move(*model);
        if (model && found && contradict(*found, *model, kinds)) {
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
    std::optional<Refusal> faulty;
    FitMemo memo;
    std::array<std::vector<FoldedRun>, std::size(kViews)> folded;
    for (const Pass pass : {Pass{false, false}, Pass{false, true}, Pass{true, false}}) {
        if (pass.approximately && !request.may_approximate) continue;
        for (std::size_t view = 0; view < folded.size(); ++view) {
            if (folded[view].empty()) folded[view] = fold_runs(runs, kinds, kViews[view]);
            auto made = search_arrangements(folded[view], kinds, request, pass, memo, best);
            if (!made) continue;
            const auto* const model = std::get_if<ProgramModel>(&*made);
            const std::string fault = model == nullptr ? "" : request.fault(*model);
            if (fault.empty()) return std::move(*made);
            if (!faulty) faulty = Refusal{"", fault};
        }
    }
    return std::move(faulty ? *faulty : *best);
}

}  // namespace tracefold
