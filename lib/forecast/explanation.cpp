// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explanation.hpp"

#include "base/communicator.hpp"
#include "forecast/explain/rules.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kMostCauses = 5;
/// Between the recorded run time and that of the walk.
constexpr double kMostDifference = 0.01;
/// A candidate whose gain falls below this share of the run time, or of its gain alone, once others
/// are removed, is an effect of these.
constexpr double kEffect = 0.01;
constexpr double kRemains = 0.2;
/// A specific cause is told in place of a general one that wins little more.
constexpr double kAsGood = 0.85;
/// The same in place of a general one that wins at most so much.
constexpr double kAsGoodAsLimit = 0.5;

void set_brackets(const Efficiency& efficiency, Explanation& result) {
    double sum = 0;
    u64 most = 0;
    for (const RankEfficiency& rank : efficiency.ranks) {
        sum += static_cast<double>(rank.computation);
        most = std::max(most, rank.computation);
    }
    const double mean =
        efficiency.ranks.empty() ? 0 : sum / static_cast<double>(efficiency.ranks.size());
    result.runtime = efficiency.seconds(efficiency.runtime);
    result.computation = efficiency.rate.seconds(mean);
    result.imbalance = efficiency.rate.seconds(static_cast<double>(most) - mean);
    result.why_not_split = efficiency.why_not_split;
    if (!efficiency.transfer) return;
    const double ideal = efficiency.seconds(efficiency.ideal_runtime.most);
    result.dependences = std::max(0.0, ideal - efficiency.seconds(most));
    result.transfer = std::max(0.0, result.runtime - ideal);
}

/// What calls of messages and collectives on the critical path take without waits.
void set_message_costs(const RunEvidence& evidence, Explanation& result) {
    double sum = 0;
    std::vector<double> costs;
    for (const PathPart& part : evidence.path) {
        const RunGraph::Call& call = evidence.graph.calls[part.call];
        if (part.own == 0 || (call.messages == 0 && evidence.graph.needs_of(part.call).empty()))
            continue;
        if (call.family == CallFamily::file) continue;
        costs.push_back(evidence.seconds(static_cast<double>(part.own)));
        sum += costs.back();
    }
    if (costs.size() < kFewSteps) return;
    result.cost_per_call = sum / static_cast<double>(costs.size());
    const auto low = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 20);
    std::ranges::nth_element(costs, low);
    result.least_cost_per_call = *low;
}

/// Removes the causes one after the other, the most costly first.
class Selection {
  public:
    Selection(const RunEvidence& evidence, std::vector<Candidate> candidates, Explanation& result)
        : evidence_(evidence), candidates_(std::move(candidates)), result_(result) {}

    void run() {
        const double runtime = static_cast<double>(evidence_.base.runtime);
        if (runtime == 0) return;
        RunDurations durations = evidence_.recorded;
        double now = runtime;
        for (Candidate& it : candidates_) {
            it.cause.alone = it.cause.won = now - without(it, durations);
        }
        std::erase_if(candidates_, [&](const Candidate& it) {
            return it.cause.alone < kSmallGain * runtime ||
                   (it.most != 0 && it.cause.alone > it.most);
        });
        while (!candidates_.empty() && result_.causes.size() < kMostCauses) {
            const std::size_t best = choose();
            Candidate chosen = std::move(candidates_[best]);
            candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
            if (chosen.cause.won < kSmallGain * runtime) break;
            chosen.remove(evidence_.graph, durations);
            now -= chosen.cause.won;
            for (auto it = candidates_.begin(); it != candidates_.end();) {
                it->cause.won = now - without(*it, durations);
                const bool is_effect =
                    it->cause.won < kEffect * runtime || it->cause.won < kRemains * it->cause.alone;
                if (is_effect) chosen.cause.effects.push_back(it->cause.kind);
                it = is_effect ? candidates_.erase(it) : it + 1;
            }
            const bool is_told = chosen.cause.won >= result_.least_gain * runtime;
            for (double* const time : {&chosen.cause.won, &chosen.cause.alone}) {
                *time = evidence_.seconds(*time);
            }
            (is_told ? result_.causes : result_.smaller).push_back(std::move(chosen.cause));
        }
        for (const ExplainedCause& cause : result_.causes) result_.together += cause.won;
        // Once a cause is gone, another may win more than it did.
        for (std::vector<ExplainedCause>* const told : {&result_.causes, &result_.smaller}) {
            std::ranges::stable_sort(*told, std::greater(), &ExplainedCause::won);
        }
    }

  private:
    [[nodiscard]] double without(const Candidate& candidate, const RunDurations& durations) const {
        RunDurations changed = durations;
        candidate.remove(evidence_.graph, changed);
        return static_cast<double>(walk(evidence_.graph, changed).runtime);
    }

    [[nodiscard]] std::size_t choose() const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < candidates_.size(); ++i) {
            if (candidates_[i].cause.won > candidates_[best].cause.won) best = i;
        }
        const ExplainedCause& most = candidates_[best].cause;
        std::size_t chosen = best;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const ExplainedCause& it = candidates_[i].cause;
            const double enough =
                (most.is_limit && !it.is_limit ? kAsGoodAsLimit : kAsGood) * most.won;
            if (it.won >= enough && it.kind < candidates_[chosen].cause.kind) chosen = i;
        }
        return chosen;
    }

    const RunEvidence& evidence_;
    std::vector<Candidate> candidates_;
    Explanation& result_;
};

}  // namespace

std::string_view cause_name(CauseKind kind) {
    constexpr std::string_view kNames[] = {
#define TRACEFOLD_NAME(name) #name,
        TRACEFOLD_CAUSES(TRACEFOLD_NAME)
#undef TRACEFOLD_NAME
    };
    return kNames[static_cast<std::size_t>(kind)];
}

bool ExplainedCause::has_figure(std::string_view name) const {
    return std::ranges::find(figures, name, &Figure::name) != figures.end();
}

double ExplainedCause::figure(std::string_view name) const {
    const auto found = std::ranges::find(figures, name, &Figure::name);
    return found == figures.end() ? 0 : found->value;
}

Explanation explain(TraceFile& file, u32 threads) {
    SerialCommunicator alone;
    FoundSteps steps(file, StepLevels::one, threads);
    return explain(file, trace_efficiency(alone, file, WaitSearch::all, threads), steps, threads);
}

Explanation explain(TraceFile& file, const Efficiency& efficiency, FoundSteps& steps, u32 threads) {
    Explanation result;
    result.ranks = static_cast<u32>(efficiency.ranks.size());
    set_brackets(efficiency, result);
    if (efficiency.runtime == 0 || efficiency.ranks.empty()) {
        result.why_not =
            efficiency.why_not_split.empty() ? "no rank was recorded" : efficiency.why_not_split;
        return result;
    }
    const ProgramSteps* const found = steps.get() ? &*steps.get() : nullptr;
    RunGraph graph = read_run_graph(file, found, threads);
    result.steps = graph.steps;
    result.why_not = graph.why_not;
    if (!graph.why_not.empty()) return result;
    result.messages = graph.messages.size();
    result.early_messages = graph.early_messages;
    u64 unknown = 0;
    for (const RunGraph::Call& call : graph.calls) {
        if (call.is_unknown) unknown += call.end - call.begin;
    }
    result.unknown_waits = efficiency.seconds(unknown) / std::max(1U, graph.ranks);
    if (result.runtime < kShortRun || graph.steps < kFewSteps) result.least_gain = 2 * kLeastGain;
    const RunEvidence evidence(file, efficiency, std::move(graph));
    const double walked = evidence.seconds(static_cast<double>(evidence.base.runtime));
    if (std::abs(walked - result.runtime) > kMostDifference * result.runtime) {
        result.why_not = "the trace is a part of a run, or measures a part of it";
        return result;
    }
    set_message_costs(evidence, result);
    Selection(evidence, candidates(evidence), result).run();
    return result;
}

}  // namespace tracefold
