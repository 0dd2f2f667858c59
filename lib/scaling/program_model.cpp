// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/program_model.hpp"

#include "scaling/arrangement_search.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace tracefold::inline scaling {

namespace {

constexpr FoldingView kViews[] = {
    {}, {.sizes = true}, {.periods = true}, {.sizes = true, .periods = true}, {.peers = true}};

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
    FitMemo memo;
    std::array<std::vector<FoldedRun>, std::size(kViews)> folded;
    for (const Pass pass : {Pass{false, false}, Pass{false, true}, Pass{true, false}}) {
        if (pass.approximately && !request.may_approximate) continue;
        for (std::size_t view = 0; view < folded.size(); ++view) {
            if (folded[view].empty()) folded[view] = fold_runs(runs, kinds, kViews[view]);
            auto made = search_arrangements(folded[view], kinds, request, pass, memo, best);
            if (made) return std::move(*made);
        }
    }
    return std::move(*best);
}

}  // namespace tracefold::inline scaling
